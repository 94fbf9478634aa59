import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { sleep } from '../async/sleep.ts'
import { ROLES, type Role } from '../cli/catalogue/run.ts'
import type { Running } from '../cli/serve.ts'
import { Problem } from '../domain/problem.ts'
import { formatTimestamp } from '../domain/time/timestamp.ts'
import { startServer, type WebServer } from '../http/server/server.ts'
import { ingestForever } from '../ingest/ingester.ts'
import type { Egress } from '../probe/egress.ts'
import type { Prober } from '../probe/prober.ts'
import { openStore } from '../store/open.ts'
import { retain } from '../store/probes/retention.ts'
import type { Store } from '../store/store.ts'
import { createDirectory } from '../views/open-directory.ts'
import { directoryOf } from '../wire/review-body.ts'
import { baseUrlOf, siteOf } from './base-url.ts'
import { nowUs } from './clock.ts'
import type { Config } from './config.ts'
import { egressOf, userAgentOf } from './egress.ts'
import { ingestingOf } from './ingesting.ts'
import { createLog } from './log.ts'
import { createMcp } from './mcp.ts'
import { createMetrics, type Metrics, type MetricsServer, serveMetrics } from './metrics.ts'
import { createPayments, type Payments } from './payments.ts'
import { proberOf } from './probing.ts'
import { createReviewWriting, type ReviewWriting } from './reviews.ts'

/** The one place that builds everything: store, and what each role needs. */
export async function serve(config: Config, roles: readonly Role[] = ROLES): Promise<Running> {
  const log = createLog(config.logLevel)
  const { dataDir, databaseUrl } = config
  const onTrouble = (error: Error): void => log.error({ err: error }, 'store trouble')
  const store = await openStore({ dataDir, databaseUrl, onTrouble })
  const payments = createPayments(config, store, log)
  let prober: Prober | undefined
  let web: WebServer | null = null
  const reviewing = createReviewWriting(config, store, log, () => directoryOf(baseUrlOf(config, web?.port)))
  let watched: MetricsServer | null = null
  const metrics = createMetrics({ store, prober: () => prober?.status(), cacheBytes: () => web?.cacheBytes() ?? 0 })
  try {
    if (config.metricsPort !== undefined) watched = await serveMetrics(metrics, config.metricsPort, config.metricsBind)
    if (roles.includes('web')) {
      const writing = { ...payments, reviews: reviewing.reviews }
      web = await startWeb(config, store, writing, log, metrics, () => conditionOf(prober))
    }
  } catch (error) {
    await watched?.close()
    await store.close()
    throw listenProblem(error, config)
  }
  const stopping = new AbortController()
  const reconciling = web === null ? undefined : payments.reconcile(stopping.signal)
  const keeping = web === null ? undefined : reviewing.keep(stopping.signal)
  const egress = egressOf(config, baseUrlOf(config, web?.port))
  const ingest = roles.includes('ingest') ? ingestWith(config, store, egress, stopping.signal, log, metrics) : undefined
  prober = roles.includes('probe')
    ? proberOf(config, store, egress, { log, onProbe: metrics.probed, onCrowd: metrics.crowded })
    : undefined
  const probing = prober?.run(stopping.signal)
  const retaining = roles.includes('probe') ? retainDaily(config, store, stopping.signal, log) : undefined
  return {
    address: web === null ? null : `http://${visibleHost(config.bind)}:${web.port}`,
    stop: async (mostMs) => {
      log.info('stopping')
      stopping.abort()
      await web?.drain(mostMs)
      await watched?.close()
      await Promise.all([ingest, probing, retaining, reconciling, keeping])
      await store.close()
      log.info('stopped')
    },
  }
}

/** What `/readyz` adds: an offline prober or one that cannot save is worth knowing, and no reason to send readers away. */
const conditionOf = (prober: Prober | undefined) => (prober === undefined ? {} : { probing: prober.status() })

const startWeb = (
  config: Config,
  store: Store,
  { threads, policy, writeLimits, reviews }: Payments & Pick<ReviewWriting, 'reviews'>,
  log: Logger,
  metrics: Metrics,
  condition: () => Readonly<Record<string, unknown>>,
): Promise<WebServer> => {
  const directory = createDirectory({ store, sources: config.sources, nowUs })
  return startServer({
    port: config.port,
    bind: config.bind,
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
    threads,
    reviews,
    policy,
    writeLimits,
    nowUs,
    securityContact: config.securityContact,
    nowMs: () => performance.now(),
    random: () =>
      randomBytes(6)
        .toString('base64url')
        .replaceAll(/[^A-Za-z0-9]/g, '0'),
  })
}

function ingestWith(
  config: Config,
  store: Store,
  egress: Egress,
  signal: AbortSignal,
  log: Logger,
  metrics: Metrics,
): Promise<void> {
  return ingestForever(
    ingestingOf(config, store, egress),
    config.sources,
    signal,
    (outcome) => {
      const { source, status, seen, stored, error } = outcome
      metrics.swept(outcome)
      const level = status === 'complete' || error === 'interrupted' ? 'info' : 'warn'
      log[level]({ source, status, seen, stored, error }, 'sweep')
    },
    (source, error) => log.error({ source, err: error }, 'sweep trouble'),
    (source, { by, untilUs }) => log.info({ source, by, until: formatTimestamp(untilUs) }, 'another program sweeps it'),
  )
}

const DAY_MS = 86_400_000

/** Removes old entries once a day, after folding them into the counters. */
async function retainDaily(config: Config, store: Store, signal: AbortSignal, log: Logger): Promise<void> {
  while (!signal.aborted) {
    try {
      const { entries } = await retain(store, nowUs(), config.keepDays)
      if (entries > 0) log.info({ entries }, 'old entries folded')
    } catch (error) {
      log.error({ err: error }, 'old entries could not be folded')
    }
    await sleep(DAY_MS, signal)
  }
}

const LOCAL: readonly (string | undefined)[] = [undefined, '0.0.0.0', '::', '127.0.0.1', '::1', 'localhost']

const visibleHost = (bind: string | undefined): string => {
  if (bind === undefined || LOCAL.includes(bind)) return 'localhost'
  return bind.includes(':') ? `[${bind}]` : bind
}

/** Why the port could not be opened, as one line for the operator. */
function listenProblem(error: unknown, { port, bind }: Config): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const fault = (detail: string): Problem => new Problem('cannot-listen', 500, 'Cannot listen', detail, '')
  switch (code) {
    case 'EADDRINUSE':
      return fault(`port ${port} is in use; set PORT to another one`)
    case 'EACCES':
      return fault(`port ${port} may not be opened by this user; set PORT to one above 1023`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EINVAL':
      return fault(`this machine has no address ${bind}; set BIND to one of its own or unset it`)
    default:
      return error
  }
}
