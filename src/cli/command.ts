import type { AllowHosts } from '../domain/host.ts'
import { Problem } from '../domain/problem.ts'
import type { Ingesting } from '../ingest/ingester.ts'
import type { SourceConfig } from '../ingest/source.ts'
import type { Store } from '../store/store.ts'
import { type CommandEntry, usageOf } from './catalogue/entry.ts'
import type { Screen } from './terminal/progress.ts'

/** What a command is given; `main` builds it from the environment. */
export interface CommandContext {
  readonly allowHosts: AllowHosts
  /** Opened by the command that needs it, and closed by it. Who only looks makes and migrates nothing; `alone` is refused while another program has it open. */
  openStore(to?: 'look' | 'alone'): Promise<Store>
  /** The listing sources of `SOURCES`, and what sweeping them needs. */
  readonly sources: readonly SourceConfig[]
  ingesting(store: Store): Promise<Ingesting>
  readonly out: Screen
  readonly err: Screen
}

/** One command: answers its exit code. A `Problem` it throws is printed in one line. */
export interface Command {
  run(argv: string[], context: CommandContext): Promise<number>
}

/** Words that are not taken, and what to write instead. */
export const misuse = (fault: string, hint = ''): Problem => new Problem('usage', 400, 'Usage', fault, hint)

/** The same, with the form of the command. `fault` names the word or option that is not what it may be. */
export const usageProblem = (entry: CommandEntry, fault: string): Problem => misuse(fault, `usage: ${usageOf(entry)}`)

/** The same of one word or option, as a variable of the environment is named: `--rating: expected 1 to 5`. */
export const expected = (entry: CommandEntry, name: string, what: string): Problem =>
  usageProblem(entry, `${name}: expected ${what}`)

/** The word of a command that takes one. */
export function onlyWord(entry: CommandEntry, words: readonly string[], what: string): string {
  const [word, more] = words
  if (word === undefined) throw expected(entry, entry.takes, what)
  if (more !== undefined) throw tooMany(entry, more)
  return word
}

/** Often of a name with a space in it that nothing holds together. */
export const tooMany = (entry: CommandEntry, word: string): Problem =>
  usageProblem(entry, `${word}: this word is one too many`)

/** What a command is given that asks a directory over HTTP. */
export interface DirectoryDeps {
  readonly fetch: typeof globalThis.fetch
  nowMs(): number
  /** The directory that is meant unless `--to` says otherwise. */
  readonly baseUrl: string
}

/** The address of a directory as `--to` names it, without a trailing slash. */
export function directoryAt(to: string, entry: CommandEntry): string {
  const address = to.replace(/\/+$/, '')
  if (!isWebAddress(address)) throw expected(entry, '--to', 'an http or https address')
  return address
}

/** Whether a text can be the address of a directory or of a route. */
export const isWebAddress = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text)
