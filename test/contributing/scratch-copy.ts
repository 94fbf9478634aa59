import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '../support/engines.ts'
import { cleanEnvironment, type Ended, ended, ROOT } from '../support/program.ts'

/** A copy of some of this checkout, to be changed as a contributor would change the whole. */
export interface ScratchCopy {
  readonly folder: string
  read(file: string): string
  write(file: string, text: string): void
  /** Runs a tool of the project, such as `tsc`, in the copy. */
  tool(name: string, argv: readonly string[], env?: Record<string, string>): Promise<Ended>
  /** Runs a script of the copy. */
  node(argv: readonly string[], env?: Record<string, string>): Promise<Ended>
  remove(): void
}

export function scratchCopy(...paths: readonly string[]): ScratchCopy {
  const folder = temporaryFolder()
  for (const path of paths) cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const run = (command: string, argv: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
    ended(spawn(command, argv, { cwd: folder, env: cleanEnvironment(env) }))
  return {
    folder,
    read: (file) => readFileSync(join(folder, file), 'utf8'),
    write: (file, text) => {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), text)
    },
    tool: (name, argv, env) => run(join(ROOT, 'node_modules/.bin', name), argv, env),
    node: (argv, env) => run(process.execPath, argv, env),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** One section of CONTRIBUTING.md, without its heading. */
export function sectionOf(heading: string): string {
  const [, rest] = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').split(`\n## ${heading}\n`)
  if (rest === undefined) throw new Error(`CONTRIBUTING.md has no section ${heading}`)
  return rest.split('\n## ')[0] ?? ''
}
