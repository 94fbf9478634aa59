import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { whenAsked } from '../../async/when-asked.ts'
import { type ServerOptions, startServer, type WebServer } from '../../http/server/server.ts'
import { createDirectory } from '../../views/open-directory.ts'
import { baseUrlOf, siteOf } from '../base-url.ts'
import { nowUs } from '../clock.ts'
import type { Config } from '../config.ts'
import { userAgentOf } from '../egress.ts'
import { probeRulesOf } from '../probing.ts'
import { listenProblem } from './listen-problem.ts'
import type { Stores } from './stores.ts'

/** What a process answers requests with. */
export interface WebDeps
  extends Pick<ServerOptions, 'threads' | 'reviews' | 'sellers' | 'policy' | 'shared'>,
    Required<Pick<ServerOptions, 'evidenceLog' | 'writeLimits' | 'condition' | 'onAnswer'>> {
  readonly config: Config
  readonly stores: Pick<Stores, 'store' | 'reading'>
  readonly log: Logger
}

export function startWeb({ config, stores, ...deps }: WebDeps): Promise<WebServer> {
  const { log, policy, evidenceLog } = deps
  const { port, bind } = config
  const directory = createDirectory({
    ...{ store: stores.reading, writer: stores.store, sources: config.sources, nowUs },
    probeRules: probeRulesOf(config),
  })
  return startServer({
    ...deps,
    port,
    bind,
    siteAt: (port) => siteOf(config, deps.threads.rails, port),
    directory,
    mcp: onDemand(async () => (await import('../mcp.ts')).createMcp({ config, directory, policy, evidenceLog, log })),
    allow: config.allowHosts,
    limits: config.rateLimits,
    cacheBytes: config.cacheBytes,
    trusted: config.trustedProxies,
    probing: {
      userAgent: userAgentOf(baseUrlOf(config)),
      everyHours: config.probing.intervalMs / 3_600_000,
      gapSeconds: config.probing.manners.gapMs / 1000,
      methods: config.probing.methods,
    },
    logClients: config.logClients,
    nowUs,
    securityContact: config.securityContact,
    nowMs: () => performance.now(),
    random: () =>
      randomBytes(6)
        .toString('base64url')
        .replaceAll(/[^A-Za-z0-9]/g, '0'),
  }).catch((error: unknown) => {
    const beside = { port: config.metricsPort, variable: 'METRICS_PORT' }
    throw listenProblem(error, { port, bind, variables: { port: 'PORT', bind: 'BIND' }, beside })
  })
}

type Mcp = NonNullable<ServerOptions['mcp']>

/** Its libraries are a seventh of what a start would read, and most who start a directory never ask it. */
const onDemand =
  (load: () => Promise<Mcp>): Mcp =>
  (site) => {
    const handler = whenAsked(async () => (await load())(site))
    return async (request) => (await handler())(request)
  }
