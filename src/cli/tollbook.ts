import { parseArgs } from 'node:util'
import { Problem } from '../domain/problem.ts'
import type { Command, CommandContext } from './command.ts'
import type { Screen } from './progress.ts'

/** What the commands live in; `main` builds it. */
export interface World {
  readonly version: string
  readonly out: Screen
  readonly err: Screen
  /** Read when a command runs, so that `--help` works whatever the environment says. */
  context(): CommandContext
  /** Commands that need rooms which this one does not know. */
  readonly more: ReadonlyMap<string, () => Promise<Command>>
}

type Commands = ReadonlyMap<string, () => Promise<Command>>

/** Loaded only when asked for: a store driver is of no use to `--version`. */
const COMMANDS: Commands = new Map([
  ['ingest', async () => (await import('./ingest.ts')).ingestCommand],
  ['add', async () => (await import('./add.ts')).addCommand],
  ['import', async () => (await import('./import.ts')).importCommand],
  ['export', async () => (await import('./export.ts')).exportCommand],
  ['migrate', async () => (await import('./migrate.ts')).migrateCommand],
  ['verify', async () => (await import('./verify.ts')).verifyCommand(globalThis.fetch)],
  ['payments', async () => (await import('./payments.ts')).paymentsCommand],
])

/**
 * Runs the command that the words name, and answers the exit code. What the user can put right is one line and no
 * stack: 2 for how it was called, 1 for everything else.
 */
export async function dispatch(argv: string[], world: World): Promise<number> {
  const [name, ...rest] = argv
  const commands: Commands = new Map([...world.more, ...COMMANDS])
  try {
    const load = commands.get(name ?? '')
    return load === undefined
      ? await withoutCommand(argv, commands, world)
      : await withCommand(await load(), rest, world)
  } catch (error) {
    if (error instanceof Problem) {
      complain(world, error.hint === '' ? error.detail : `${error.detail} (${error.hint})`)
      return error.slug === 'usage' ? 2 : 1
    }
    if (!isArgumentFault(error)) throw error
    complain(world, error.message)
    return 2
  }
}

async function withCommand(command: Command, argv: string[], world: World): Promise<number> {
  if (!argv.includes('--help') && !argv.includes('-h')) return command.run(argv, world.context())
  world.out.write(`${command.usage}\n`)
  return 0
}

async function withoutCommand(argv: string[], commands: Commands, world: World): Promise<number> {
  const options = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } } as const
  const { values, positionals } = parseArgs({ args: argv, allowPositionals: true, options })
  if (values.version || values.help) {
    world.out.write(values.version ? `${world.version}\n` : await help(commands))
    return 0
  }
  const [name] = positionals
  const wrong = name === undefined ? 'no command given' : `unknown command ${name}`
  complain(world, `${wrong} (tollbook --help lists them)`)
  return 2
}

async function help(commands: Commands): Promise<string> {
  const all = await Promise.all([...commands.values()].map((load) => load()))
  const usages = [...all.map(({ usage }) => usage), 'tollbook --help | --version']
  return `Usage:\n${usages.map((usage) => `  ${usage}\n`).join('')}`
}

const complain = (world: World, text: string): void => {
  world.err.write(`tollbook: ${text.replaceAll(/\s*\n\s*/g, ' ')}\n`)
}

const isArgumentFault = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
