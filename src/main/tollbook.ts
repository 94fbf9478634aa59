import type { CommandContext } from '../cli/command.ts'
import { dispatch } from '../cli/tollbook.ts'
import { openStore } from '../store/open.ts'
import { loadConfig } from './config.ts'
import { nextSignal } from './signals.ts'
import { baseUrlOf, egressOf, ingestingOf, nowUs, proberOf, sleep } from './strangers.ts'
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
  const loadDoctor = async () => {
    const [{ doctorCommand }, { checksOf }] = await Promise.all([import('../cli/doctor.ts'), import('./doctor.ts')])
    return doctorCommand(() => checksOf(loadConfig(env)))
  }
  const loadPost = async () => {
    const [{ postCommand }, { confirm, readStdin }] = await Promise.all([
      import('../cli/post.ts'),
      import('./terminal.ts'),
    ])
    return postCommand({
      baseUrl: () => baseUrlOf(loadConfig(env)),
      fetch: globalThis.fetch,
      nowMs: Date.now,
      sleep,
      readStdin,
      confirm,
      asker: async (rail) =>
        rail === 'x402' ? (await import('../cli/pay/x402.ts')).askX402 : (await import('../cli/pay/mpp.ts')).askMpp,
    })
  }
  const loadReview = async () => {
    const { reviewCommand } = await import('../cli/review.ts')
    const baseUrl = (): string => baseUrlOf(loadConfig(env))
    return reviewCommand({ baseUrl, fetch: globalThis.fetch, nowMs: Date.now, sleep })
  }
  const loadMcp = async () => {
    const [{ mcpCommand }, { mcpDoors }] = await Promise.all([import('../cli/mcp.ts'), import('./mcp.ts')])
    return mcpCommand({
      fromStore: (store) => mcpDoors(loadConfig(env)).fromStore(store),
      fromElsewhere: (mcp) => mcpDoors(loadConfig(env)).fromElsewhere(mcp),
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
      ['doctor', loadDoctor],
      ['hide', async () => (await import('../cli/hide.ts')).hideCommand(nowUs)],
      ['post', loadPost],
      ['mcp', loadMcp],
      ['review', loadReview],
    ]),
  })
}
