import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { tally } from '../async/tally.ts'
import { ROLES, type Role } from '../cli/catalogue/run.ts'
import type { Running } from '../cli/serve.ts'
import { reasonOf } from '../domain/store-trouble.ts'
import { type ServerOptions, startServer, type WebServer } from '../http/server/server.ts'
import { intervalOf } from '../ingest/source-settings.ts'
import type { Egress } from '../probe/egress.ts'
import type { Prober } from '../probe/prober.ts'
import { openStore } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { createDirectory } from '../views/open-directory.ts'
import { directoryOf } from '../wire/review-body.ts'
import { baseUrlOf, siteOf } from './base-url.ts'
import { nowUs } from './clock.ts'
import type { Config } from './config.ts'
import { egressOf, userAgentOf } from './egress.ts'
import { createLogKeeping } from './evidence-log/keeping.ts'
import { ingestWith } from './ingesting.ts'
import { listenProblem } from './listen-problem.ts'
import { createLog } from './log.ts'
import { createMcp } from './mcp.ts'
import { createPayments, type Payments } from './payments.ts'
import { probeRulesOf, proberOf } from './probing.ts'
import { retainDaily } from './retaining.ts'
import { createReviewWriting, type ReviewWriting } from './reviews.ts'
import { createSelling, type Selling } from './sellers/selling.ts'
import { version } from './version.ts'
import { createMetrics, type Metrics } from './watching/metrics.ts'
import { type Answering, serveWatching, type WatchServer } from './watching/watch-server.ts'

/** The one place that builds everything: store, and what each role needs. */
export async function serve(config: Config, roles: readonly Role[] = ROLES): Promise<Running> {
  const log = createLog(config.logLevel)
  const { dataDir, databaseUrl } = config
  const onTrouble = tally<Error>((connections, error) =>
    log.error({ connections, reason: reasonOf(error) }, 'connections to the store were lost'),
  )
  for (const { name, meant } of config.misspelt) log.warn({ variable: name, meant }, 'a variable that nothing reads')
  const store = await openStore({ dataDir, databaseUrl, onTrouble })
  let prober: Prober | undefined
  let web: WebServer | null = null
  const condition = () => conditionOf(prober)
  const metrics = createMetrics({
    ...{ store, roles, nowUs, version: version() },
    prober: () => prober?.status(),
    cacheBytes: () => web?.cacheBytes() ?? 0,
    sources: config.sources.map(({ name }) => ({ name, intervalMs: intervalOf(config.sweepIntervals, name) })),
  })
  const payments = await createPayments(config, store, log, metrics.called)
  const signedFor = (): string => directoryOf(baseUrlOf(config, web?.port))
  const reviewing = createReviewWriting(config, store, log, signedFor, metrics.called)
  let door: Egress | undefined
  const egressHere = (): Egress => {
    door ??= egressOf(config, baseUrlOf(config, web?.port))
    return door
  }
  const selling = createSelling({
    config,
    store,
    log,
    egress: egressHere,
    directory: signedFor,
    onCall: metrics.called,
    onWrite: metrics.sold,
  })
  let listening = (): void => undefined
  const listened = new Promise<void>((resolve) => {
    listening = resolve
  })
  const logKeeping = createLogKeeping({
    ...{ config, store, log },
    baseUrl: async () => {
      await listened
      return baseUrlOf(config, web?.port)
    },
  })
  let watched: WatchServer | null = null
  try {
    watched = await watchOn(config, { metrics, condition, ping: () => store.ping() })
    if (roles.includes('web')) {
      const writing = { ...payments, reviews: reviewing.reviews, sellers: selling.sellers }
      web = await startWeb(config, store, { ...writing, evidenceLog: logKeeping.open }, log, metrics, condition)
    }
    listening()
  } catch (error) {
    await watched?.close()
    await store.close()
    throw error
  }
  const stopping = new AbortController()
  const reconciling = web === null ? undefined : payments.reconcile(stopping.signal)
  const keeping = web === null ? undefined : reviewing.keep(stopping.signal)
  const claims = web === null ? undefined : selling.keep(stopping.signal)
  const isLogging = roles.includes('web') || roles.includes('log')
  const logging = isLogging ? logKeeping.keep(stopping.signal) : undefined
  const egress = egressHere()
  const told = { log, swept: metrics.swept }
  const ingest = roles.includes('ingest') ? ingestWith(config, store, egress, stopping.signal, told) : undefined
  prober = roles.includes('probe')
    ? proberOf(config, store, egress, { log, onProbe: metrics.probed, onCrowd: metrics.crowded })
    : undefined
  const probing = prober?.run(stopping.signal)
  const retaining = roles.includes('probe') ? retainDaily(config, store, stopping.signal, log) : undefined
  return {
    address: web === null ? null : `http://${visibleHost(config.bind)}:${web.port}`,
    baseUrl: config.baseUrl ?? null,
    stop: async (mostMs) => {
      log.info('stopping')
      stopping.abort()
      await web?.drain(mostMs)
      await watched?.close()
      await Promise.all([ingest, probing, retaining, reconciling, keeping, claims, logging])
      await store.close()
      log.info('stopped')
    },
  }
}

/** What `/readyz` adds: an offline prober or one that cannot save is worth knowing, and no reason to send readers away. */
const conditionOf = (prober: Prober | undefined) => (prober === undefined ? {} : { probing: prober.status() })

async function watchOn(config: Config, answering: Answering): Promise<WatchServer | null> {
  const { metricsPort: port, metricsBind: bind } = config
  if (port === undefined) return null
  const variables = { port: 'METRICS_PORT', bind: 'METRICS_BIND' }
  return serveWatching(answering, port, bind).catch((error: unknown) => {
    throw listenProblem(error, { port, bind, variables })
  })
}

const startWeb = (
  config: Config,
  store: Store,
  {
    threads,
    policy,
    writeLimits,
    reviews,
    sellers,
    evidenceLog,
  }: Payments &
    Pick<ReviewWriting, 'reviews'> &
    Pick<Selling, 'sellers'> &
    Required<Pick<ServerOptions, 'evidenceLog'>>,
  log: Logger,
  metrics: Metrics,
  condition: () => Readonly<Record<string, unknown>>,
): Promise<WebServer> => {
  const directory = createDirectory({ store, sources: config.sources, nowUs, probeRules: probeRulesOf(config) })
  const { port, bind } = config
  return startServer({
    port,
    bind,
    siteAt: (port) => siteOf(config, port),
    directory,
    mcp: createMcp({ config, directory, policy, log }),
    allow: config.allowHosts,
    limits: config.rateLimits,
    trusted: config.trustedProxies,
    log,
    probing: {
      userAgent: userAgentOf(baseUrlOf(config)),
      everyHours: config.probing.intervalMs / 3_600_000,
      gapSeconds: config.probing.manners.gapMs / 1000,
      methods: config.probing.methods,
    },
    condition,
    onAnswer: metrics.answered,
    logClients: config.logClients,
    threads,
    reviews,
    sellers,
    evidenceLog,
    policy,
    writeLimits,
    nowUs,
    securityContact: config.securityContact,
    nowMs: () => performance.now(),
    random: () =>
      randomBytes(6)
        .toString('base64url')
        .replaceAll(/[^A-Za-z0-9]/g, '0'),
  }).catch((error: unknown) => {
    throw listenProblem(error, { port, bind, variables: { port: 'PORT', bind: 'BIND' } })
  })
}

const LOCAL: readonly (string | undefined)[] = [undefined, '0.0.0.0', '::', '127.0.0.1', '::1', 'localhost']

const visibleHost = (bind: string | undefined): string => {
  if (bind === undefined || LOCAL.includes(bind)) return 'localhost'
  return bind.includes(':') ? `[${bind}]` : bind
}
