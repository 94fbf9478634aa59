import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'

/** Everything that is piped in; `undefined` when a person sits there instead. */
export const readStdin = (): Promise<string> | undefined => (process.stdin.isTTY ? undefined : text(process.stdin))

/** Asks the person at the terminal; anything but yes is no. `undefined` when nobody is there to be asked. */
export function confirm(question: string): Promise<boolean> | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined
  return asked(question)
}

async function asked(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^\s*y(?:es)?\s*$/i.test(await terminal.question(question))
  } finally {
    terminal.close()
  }
}
