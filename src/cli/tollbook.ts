import { parseArgs } from 'node:util'
import { Problem } from '../domain/problem.ts'
import { type CommandEntry, usageOf } from './catalogue/entry.ts'
import { commandHelpOf, helpOf } from './catalogue/help.ts'
import { nearest } from './catalogue/nearest.ts'
import type { Command, CommandContext } from './command.ts'
import { plainLine } from './terminal/plain.ts'
import type { Screen } from './terminal/progress.ts'

/** What is said about a command, and the way to it: loaded when it is called, since most of the program hangs on it. */
export interface ListedCommand {
  readonly entry: CommandEntry
  load(): Promise<Command>
}

/** What the commands live in; `main` builds it. */
export interface World {
  readonly version: string
  /** How people call the command where it stands, e.g. `npx tollbook`. */
  readonly called: string
  readonly out: Screen
  readonly err: Screen
  readonly commands: readonly ListedCommand[]
  /** Read when a command runs, so that `--help` works whatever the environment says. */
  context(): Promise<CommandContext>
}

/**
 * Runs the command that the words name, and answers the exit code. What the user can put right is one line and no
 * stack: 2 for how it was called, 1 for everything else.
 */
export async function dispatch(argv: string[], world: World): Promise<number> {
  const [name, ...rest] = inOrder(argv)
  const listed = world.commands.find(({ entry }) => entry.name === name)
  try {
    return listed === undefined ? withoutCommand(inOrder(argv), world) : await withCommand(listed, rest, world)
  } catch (thrown) {
    const error = thrown instanceof Problem ? thrown : (await import('../domain/store-trouble.ts')).storeProblem(thrown)
    if (error instanceof Problem) {
      complain(world, error.hint === '' ? error.detail : `${error.detail} (${error.hint})`)
      return error.slug === 'usage' ? 2 : 1
    }
    if (!isArgumentFault(error)) throw error
    complain(world, argumentFault(error.message, listed?.entry))
    return 2
  }
}

/** `help` is a word for `--help`, before a command's name or alone. */
const inOrder = (argv: string[]): string[] => (argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv)

async function withCommand({ entry, load }: ListedCommand, argv: string[], world: World): Promise<number> {
  const words = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv
  if (words.includes('--help') || words.includes('-h')) {
    world.out.write(commandHelpOf(entry, world.called))
    return 0
  }
  // Refused before anything is loaded; the command itself reads the same words by the same options.
  parseArgs({ args: argv, allowPositionals: entry.takes !== '', options: entry.options })
  const context = await world.context()
  return (await load()).run(argv, context)
}

const OPTIONS = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } } as const

function withoutCommand(argv: string[], world: World): number {
  const { values, positionals } = parseArgs({ args: argv, allowPositionals: true, options: OPTIONS })
  const [name] = positionals
  const entries = world.commands.map(({ entry }) => entry)
  if (values.version || (values.help && name === undefined)) {
    world.out.write(values.version ? `${world.version}\n` : helpOf(entries, world.called))
    return 0
  }
  const wrong = name === undefined ? 'no command given' : `unknown command ${name}`
  const meant = nearest(
    name ?? '',
    entries.map((entry) => entry.name),
  )
  complain(world, `${wrong} (${suggestion(meant)}tollbook --help lists them)`)
  return 2
}

/** A value that is missing and a word that is not taken, named as commands name them. */
function wordFault(message: string): string {
  const option = /^Option '(?:-\w, )?(--[^' ]+) <value>' argument missing/.exec(message)?.[1]
  if (option !== undefined) return `${option}: its value is missing`
  const word = /^Unexpected argument '(.*)'\./s.exec(message)?.[1]
  return word === undefined ? message : `${word}: this word is one too many`
}

/** What `parseArgs` refuses, and the way on. */
function argumentFault(message: string, entry: CommandEntry | undefined): string {
  const option = /^Unknown option '(-[^']*)'/.exec(message)?.[1]
  if (option === undefined) return entry === undefined ? message : `${wordFault(message)} (usage: ${usageOf(entry)})`
  const names = [...Object.keys(entry?.options ?? OPTIONS), 'help'].map((name) => `--${name}`)
  const help = entry === undefined ? 'tollbook --help' : `tollbook ${entry.name} --help`
  return `Unknown option '${option}' (${suggestion(nearest(option, names))}${help} lists them)`
}

const suggestion = (meant: string | undefined): string => (meant === undefined ? '' : `did you mean ${meant}? `)

const complain = (world: World, text: string): void => {
  world.err.write(`tollbook: ${plainLine(text)}\n`)
}

const isArgumentFault = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
