import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'

/** Everything that is piped in; `undefined` when a person sits there instead. */
export const readStdin = (): Promise<string> | undefined => (process.stdin.isTTY ? undefined : text(process.stdin))

/** Asks the person at the terminal; anything but yes is no. `undefined` when nobody is there to be asked. */
export function confirm(question: string): Promise<boolean> | undefined {
  const { stdin: input, stderr: output } = process
  return input.isTTY && output.isTTY ? agreed(question, { input, output }) : undefined
}

interface Terminal {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}

export async function agreed(question: string, { input, output }: Terminal): Promise<boolean> {
  const terminal = createInterface({ input, output })
  // Ctrl-C and Ctrl-D leave a question without an answer, which would then never come.
  const left = once(terminal, 'close').then(() => '')
  try {
    return /^\s*y(?:es)?\s*$/i.test(await Promise.race([terminal.question(question), left]))
  } finally {
    terminal.close()
  }
}
