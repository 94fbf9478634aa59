import type { Logger } from 'pino'
import type { McpDeps } from '../cli/mcp.ts'
import { bridgeStdio, mcpOnStdio } from '../mcp/on-stdio.ts'
import { createMcpHandler } from '../mcp/over-http.ts'
import type { Site } from '../render/site.ts'
import type { Store } from '../store/store.ts'
import type { Directory } from '../views/directory.ts'
import { createDirectory } from '../views/open-directory.ts'
import type { PolicyTerms } from '../views/policy-view.ts'
import { siteOf } from './base-url.ts'
import { nowUs } from './clock.ts'
import type { Config } from './config.ts'
import { createLogKeeping, type LogKeeping } from './evidence-log/keeping.ts'
import { createLog } from './log.ts'
import { createPayments } from './payments.ts'
import { probeRulesOf } from './probing.ts'
import { version } from './version.ts'

interface Opened {
  readonly config: Config
  readonly directory: Directory
  readonly policy: () => PolicyTerms
  readonly evidenceLog: LogKeeping['open']
  readonly log: Logger
}

const toolDepsOf = ({ config, directory, policy, evidenceLog, log }: Opened, site: Site) => ({
  site,
  directory,
  allow: config.allowHosts,
  policy,
  log: evidenceLog,
  nowUs,
  version: version(),
  onTrouble: (error: unknown): void => log.error({ err: error }, 'a tool failed'),
})

/** The handler of `/mcp`. */
export const createMcp = (opened: Opened) => (site: Site) => createMcpHandler(toolDepsOf(opened, site))

const PIPE = { input: process.stdin, output: process.stdout }

/** What `tollbook mcp` needs. Logs go to standard error: standard output is the protocol's. */
export function createMcpDeps(config: Config): McpDeps {
  const log = createLog('warn', process.stderr)
  return {
    fromStore: async (store: Store) => {
      const { policy, threads } = await createPayments(config, store, log)
      const directory = createDirectory({ store, sources: config.sources, nowUs, probeRules: probeRulesOf(config) })
      const site = siteOf(config, threads.rails)
      const { open: evidenceLog } = createLogKeeping({ config, store, log, baseUrl: async () => site.baseUrl })
      return mcpOnStdio(toolDepsOf({ config, directory, policy, evidenceLog, log }, site), PIPE)
    },
    fromElsewhere: (mcp) => bridgeStdio(mcp, PIPE, (error) => log.warn({ err: error }, 'the directory did not answer')),
  }
}
