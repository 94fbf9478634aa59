import { CATALOGUE } from '../cli/catalogue/catalogue.ts'
import type { CommandContext } from '../cli/command.ts'
import type { Progress } from '../cli/terminal/progress.ts'
import { dispatch } from '../cli/tollbook.ts'
import type { SchemaStep } from '../store/migrate.ts'
import { baseUrlOf, CALLED } from './base-url.ts'
import { loadersOf } from './commands.ts'
import { version } from './version.ts'

/**
 * The `tollbook` command: the words after it and the environment in, the exit code out. Nothing that a command needs is
 * imported at the top, so that `--help` is instant.
 */
export async function main(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  process.stdout.on('error', leaveWithReader)
  const loaders = loadersOf(env)
  const commands = CATALOGUE.map((entry) => ({ entry, load: loaders[entry.name] }))
  const { stdout: out, stderr: err } = process
  const world = { version: version(), called: CALLED, out, err, commands, context: () => contextOf(env) }
  const code = await dispatch(argv, world)
  // A file that does not take our output says so a moment later.
  await new Promise(setImmediate)
  return code
}

/** Whoever reads our output, `head` perhaps, has had enough. Or the disk has, that it is written to. */
function leaveWithReader(error: Error): void {
  const code = 'code' in error ? error.code : undefined
  if (code === 'EPIPE') process.exit(0)
  if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error
  process.stderr.write('tollbook: the output cannot be written: no room is left on that disk\n')
  process.exit(1)
}

async function contextOf(env: NodeJS.ProcessEnv): Promise<CommandContext> {
  const config = (await import('./config.ts')).loadConfig(env)
  return {
    allowHosts: config.allowHosts,
    openStore: async (to) => {
      const [{ lookAtStore, openAlone, openStore }, { progressOn }] = await Promise.all([
        import('../store/open.ts'),
        import('../cli/terminal/progress.ts'),
      ])
      if (to === 'look') return lookAtStore(config)
      let progress: Progress | undefined
      const onStep = ({ step, from, to }: SchemaStep): void => {
        progress ??= progressOn(process.stderr)
        progress.update('bringing the store up to date', step - from - 1, to - from)
      }
      const opening = to === 'alone' ? openAlone({ ...config, onStep }) : openStore({ ...config, onStep })
      return opening.finally(() => progress?.end())
    },
    sources: config.sources,
    ingesting: async (store) => {
      const [{ ingestingOf }, { egressOf }] = await Promise.all([import('./ingesting.ts'), import('./egress.ts')])
      return ingestingOf(config, store, egressOf(config, baseUrlOf(config)))
    },
    out: process.stdout,
    err: process.stderr,
  }
}
