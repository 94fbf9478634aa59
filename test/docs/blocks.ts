import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../support/program.ts'

/** One fenced block of a document. */
export interface Block {
  readonly file: string
  readonly language: string
  readonly text: string
}

const documents = (): string[] =>
  readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file))
    .toSorted()

export const FILES: readonly string[] = ['README.md', 'CONTRIBUTING.md', ...documents()]

export const BLOCKS: readonly Block[] = FILES.flatMap((file) =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', text = '']) => ({ file, language, text: text.trimEnd() }),
  ),
)

/** A script's commands, one by one: a line, with what it continues on and what it is given in a heredoc. */
export function commandsIn(script: string): string[] {
  const commands: string[] = []
  let command = ''
  let end: string | undefined
  for (const line of script.split('\n')) {
    command = command === '' ? line : `${command}\n${line}`
    if (end !== undefined) {
      if (line !== end) continue
      end = undefined
    } else {
      end = /<<'?(\w+)'?/.exec(line)?.[1]
      if (end !== undefined || line.endsWith('\\')) continue
    }
    commands.push(command)
    command = ''
  }
  return commands
}
