import type { CommandContext } from '../cli/command.ts'
import { dispatch } from '../cli/tollbook.ts'
import { openStore } from '../store/open.ts'
import { loadConfig } from './config.ts'
import { nextSignal } from './signals.ts'
import { baseUrlOf, egressOf, ingestingOf, nowUs, proberOf } from './strangers.ts'
import { version } from './version.ts'

/** The `tollbook` command: the words after it and the environment in, the exit code out. */
export function main(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const context = (): CommandContext => {
    const config = loadConfig(env)
    return {
      allowHosts: config.allowHosts,
      openStore: () => openStore(config),
      sources: config.sources,
      ingesting: (store) => ingestingOf(config, store, egressOf(config, baseUrlOf(config))),
      out: process.stdout,
      err: process.stderr,
    }
  }
  const loadServe = async () => {
    const [{ serveCommand }, { serve }] = await Promise.all([import('../cli/serve.ts'), import('./serve.ts')])
    return serveCommand({ start: (roles) => serve(loadConfig(env), roles), nextSignal, abort: () => process.exit(1) })
  }
  const loadProbe = async () => {
    const { probeCommand } = await import('../cli/probe.ts')
    return probeCommand({
      prober: (store, told) => {
        const config = loadConfig(env)
        return proberOf(config, store, egressOf(config, baseUrlOf(config)), told)
      },
      nowUs,
      nextSignal,
    })
  }
  return dispatch(argv, {
    version: version(),
    out: process.stdout,
    err: process.stderr,
    context,
    more: new Map([
      ['serve', loadServe],
      ['probe', loadProbe],
    ]),
  })
}
