import type { Logger } from 'pino'
import type { McpDoors } from '../cli/mcp.ts'
import { bridgeStdio, mcpOnStdio } from '../mcp/on-stdio.ts'
import { mcpOverHttp } from '../mcp/over-http.ts'
import type { Site } from '../render/site.ts'
import type { Store } from '../store/store.ts'
import type { Directory } from '../views/directory.ts'
import { directoryOf } from '../views/open-directory.ts'
import type { PolicyTerms } from '../views/policy-view.ts'
import type { Config } from './config.ts'
import { createLog } from './log.ts'
import { openPayments } from './payments.ts'
import { baseUrlOf, nowUs } from './strangers.ts'
import { version } from './version.ts'

interface Open {
  readonly config: Config
  readonly directory: Directory
  readonly policy: () => PolicyTerms
  readonly log: Logger
}

const worldOf = ({ config, directory, policy, log }: Open, site: Site) => ({
  site,
  directory,
  allow: config.allowHosts,
  policy,
  nowUs,
  version: version(),
  onTrouble: (error: unknown): void => log.error({ err: error }, 'a tool failed'),
})

/** The handler of `/mcp`. */
export const mcpOf = (open: Open) => (site: Site) => mcpOverHttp(worldOf(open, site))

const PIPE = { input: process.stdin, output: process.stdout }

/** What `tollbook mcp` needs. Logs go to standard error: standard output is the protocol's. */
export function mcpDoors(config: Config): McpDoors {
  const log = createLog('warn', process.stderr)
  return {
    fromStore: (store: Store) => {
      const { policy } = openPayments(config, store, log)
      const open = { config, directory: directoryOf(store, config.sources), policy, log }
      return mcpOnStdio(worldOf(open, { baseUrl: baseUrlOf(config), notice: config.notice }), PIPE)
    },
    fromElsewhere: (mcp) => bridgeStdio(mcp, PIPE, (error) => log.warn({ err: error }, 'the directory did not answer')),
  }
}
