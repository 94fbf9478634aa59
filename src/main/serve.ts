import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { tally } from '../async/tally.ts'
import { whenAsked } from '../async/when-asked.ts'
import { ROLES, type Role } from '../cli/catalogue/run.ts'
import type { Running } from '../cli/serve.ts'
import { reasonOf } from '../domain/store-trouble.ts'
import { type ServerOptions, startServer, type WebServer } from '../http/server/server.ts'
import { intervalOf } from '../ingest/source-settings.ts'
import type { Egress } from '../probe/egress.ts'
import type { Prober } from '../probe/prober.ts'
import type { SchemaStep } from '../store/migrate.ts'
import { openReplicas, openStore, readingFrom, seenByReaders } from '../store/open.ts'
import type { ReadReplicas, Store } from '../store/store.ts'
import { createDirectory } from '../views/open-directory.ts'
import { directoryOf } from '../wire/review-body.ts'
import { baseUrlOf, siteOf } from './base-url.ts'
import { nowUs } from './clock.ts'
import type { Config } from './config.ts'
import { Crew } from './crew/crew.ts'
import type { Member } from './crew/member.ts'
import { egressOf, userAgentOf } from './egress.ts'
import { createLogKeeping, logSeedOf } from './evidence-log/keeping.ts'
import { ingestWith } from './ingesting.ts'
import { listenProblem } from './listen-problem.ts'
import { createLog } from './log.ts'
import { createPayments, type Payments } from './payments.ts'
import { probeRulesOf, proberOf } from './probing.ts'
import { retainDaily } from './retaining.ts'
import { createReviewWriting, type ReviewWriting } from './reviews.ts'
import { createSelling, type Selling } from './sellers/selling.ts'
import { version } from './version.ts'
import { createMetrics, type Metrics } from './watching/metrics.ts'
import { type Answering, serveWatching, type WatchServer } from './watching/watch-server.ts'

/**
 * The one place that builds everything: store, and what each role needs. Where web workers share a port, the leader does all
 * of it but answer, and a member nothing else.
 */
export async function serve(config: Config, roles: readonly Role[] = ROLES, as: Part = {}): Promise<Running> {
  const { member } = as
  const log =
    member === undefined ? createLog(config.logLevel) : createLog(config.logLevel).child({ worker: member.number })
  const { dataDir, databaseUrl } = config
  const onTrouble = tally<Error>((connections, error) =>
    log.error({ connections, reason: reasonOf(error) }, 'connections to the store were lost'),
  )
  const misspelt = member === undefined ? config.misspelt : []
  for (const { name, meant } of misspelt) log.warn({ variable: name, meant }, 'a variable that nothing reads')
  const onStep = ({ step, from, to }: SchemaStep): void =>
    log.info({ step, from, to }, 'the store is brought up to date')
  const store = await openStore({ dataDir, databaseUrl, onTrouble, onStep })
  const readUrls = roles.includes('web') ? config.readUrls : []
  const replicas = await openReplicas({ databaseUrl, readUrls, onTrouble })
  const isAnswering = as.leads !== true
  const written = replicas !== undefined && isAnswering ? seenByReaders(store, replicas) : store
  const reading = replicas === undefined ? store : readingFrom(store, replicas)
  if (replicas !== undefined && member !== undefined) {
    replicas.onWrote = (place) => member.wrote(place)
    member.onWrote = (place) => replicas.wroteElsewhere(place)
  }
  let prober: Prober | undefined
  let web: Pick<WebServer, 'port' | 'cacheBytes' | 'drain'> | null = null
  let crew: Crew | undefined
  const own = () => ({ ...conditionOf(prober), ...logCondition(logKeeping.unpublished()) })
  const condition = () => ({
    ...(member?.condition() ?? { ...own(), ...crew?.condition() }),
    ...replicaCondition(replicas),
  })
  const sources = member === undefined ? config.sources : []
  const metrics = createMetrics({
    ...{ store, roles, nowUs, version: version() },
    prober: () => prober?.status(),
    unpublished: () => logKeeping.unpublished(),
    cacheBytes: () => web?.cacheBytes() ?? 0,
    crew: () => crew,
    replicas: () => replicas?.standing(),
    sources: sources.map(({ name }) => ({ name, intervalMs: intervalOf(config.sweepIntervals, name) })),
  })
  const payments = await createPayments(config, written, log, metrics.called, member?.shared.limits)
  const signedFor = (): string => directoryOf(baseUrlOf(config, web?.port))
  const reviewing = createReviewWriting(config, written, log, signedFor, metrics.called)
  let door: Egress | undefined
  const egressHere = (): Egress => {
    door ??= egressOf(config, baseUrlOf(config, web?.port))
    return door
  }
  const selling = createSelling({
    config,
    store: written,
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
    // A key that cannot be read is told before anybody is answered.
    if (roles.includes('web') || roles.includes('log')) logSeedOf(config, store)
    if (as.leads === true) {
      const { webWorkers: size, port, bind } = config
      crew = await Crew.prepare({ size, port, bind, log, condition: own })
    }
    const ping = async (): Promise<void> => {
      await reading.ping()
      if (crew?.serving === 0) throw new Error('no web worker serves')
    }
    if (member === undefined) watched = await watchOn(config, { metrics, condition, ping })
    if (crew !== undefined) {
      await crew.start()
      web = crew
    } else if (roles.includes('web')) {
      const writing = { ...payments, reviews: reviewing.reviews, sellers: selling.sellers }
      const shared = member?.shared
      web = await startWeb(
        config,
        { reading, store },
        { ...writing, evidenceLog: logKeeping.open, shared },
        log,
        metrics,
        condition,
      )
    }
    listening()
  } catch (error) {
    await watched?.close()
    await replicas?.close()
    await store.close()
    throw error
  }
  member?.serving(web?.port ?? 0, metrics.measured)
  const stopping = new AbortController()
  const { signal } = stopping
  const isKeeping = web !== null && member === undefined
  const reconciling = isKeeping ? payments.reconcile(signal) : undefined
  const keeping = isKeeping ? reviewing.keep(signal) : undefined
  const claims = isKeeping ? selling.keep(signal) : undefined
  const logging = isKeeping || roles.includes('log') ? logKeeping.keep(signal) : undefined
  const egress = egressHere()
  const told = { log, swept: metrics.swept }
  const ingest = roles.includes('ingest') ? ingestWith(config, store, egress, signal, told) : undefined
  prober = roles.includes('probe')
    ? proberOf(config, store, egress, { log, onProbe: metrics.probed, onCrowd: metrics.crowded })
    : undefined
  const probing = prober?.run(signal)
  const retaining = roles.includes('probe') ? retainDaily(config, store, signal, log) : undefined
  return {
    address: web === null ? null : `http://${visibleHost(config.bind)}:${web.port}`,
    baseUrl: config.baseUrl ?? null,
    stop: async (mostMs) => {
      log.info('stopping')
      stopping.abort()
      await web?.drain(mostMs)
      await watched?.close()
      await Promise.all([ingest, probing, retaining, reconciling, keeping, claims, logging])
      await replicas?.close()
      await store.close()
      log.info('stopped')
    },
  }
}

/** What this process is where several share a port. */
export interface Part {
  /** It starts the web workers and does what is to be done once. */
  readonly leads?: boolean
  readonly member?: Member | undefined
}

/** What `/readyz` adds: an offline prober or one that cannot save is worth knowing, and no reason to send readers away. */
const conditionOf = (prober: Prober | undefined) => (prober === undefined ? {} : { probing: prober.status() })

/** Nor is a log that shows an earlier checkpoint than the newest one. */
const logCondition = (unpublished: string | null | undefined) =>
  typeof unpublished === 'string' ? { log: { state: 'not published', reason: unpublished } } : {}

/** Replicas that are left out, or a writer that is away while they are read, are no reason to send readers away either. */
function replicaCondition(replicas: ReadReplicas | undefined): Readonly<Record<string, unknown>> {
  if (replicas === undefined) return {}
  const { writer, replicas: each } = replicas.standing()
  return {
    writer,
    replicas: each.map(({ name, state, lagMs, lagBytes }) => ({
      ...{ replica: name, state, lag_seconds: Math.round(lagMs) / 1000, lag_bytes: lagBytes },
    })),
  }
}

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
  { reading, store: writer }: { readonly reading: Store; readonly store: Store },
  {
    threads,
    policy,
    writeLimits,
    reviews,
    sellers,
    evidenceLog,
    shared,
  }: Payments &
    Pick<ReviewWriting, 'reviews'> &
    Pick<Selling, 'sellers'> &
    Pick<ServerOptions, 'shared'> &
    Required<Pick<ServerOptions, 'evidenceLog'>>,
  log: Logger,
  metrics: Metrics,
  condition: () => Readonly<Record<string, unknown>>,
): Promise<WebServer> => {
  const directory = createDirectory({
    ...{ store: reading, writer, sources: config.sources, nowUs, probeRules: probeRulesOf(config) },
  })
  const { port, bind } = config
  return startServer({
    port,
    bind,
    siteAt: (port) => siteOf(config, threads.rails, port),
    directory,
    mcp: onDemand(async () => (await import('./mcp.ts')).createMcp({ config, directory, policy, evidenceLog, log })),
    allow: config.allowHosts,
    limits: config.rateLimits,
    cacheBytes: config.cacheBytes,
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
    shared,
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

type Mcp = NonNullable<ServerOptions['mcp']>

/** Its libraries are a seventh of what a start would read, and most who start a directory never ask it. */
const onDemand =
  (load: () => Promise<Mcp>): Mcp =>
  (site) => {
    const handler = whenAsked(async () => (await load())(site))
    return async (request) => (await handler())(request)
  }

const LOCAL: readonly (string | undefined)[] = [undefined, '0.0.0.0', '::', '127.0.0.1', '::1', 'localhost']

const visibleHost = (bind: string | undefined): string => {
  if (bind === undefined || LOCAL.includes(bind)) return 'localhost'
  return bind.includes(':') ? `[${bind}]` : bind
}
