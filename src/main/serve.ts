import { ROLES, type Role } from '../cli/catalogue/run.ts'
import type { Running } from '../cli/serve.ts'
import type { WebServer } from '../http/server/server.ts'
import { intervalOf } from '../ingest/source-settings.ts'
import type { Egress } from '../probe/egress.ts'
import type { Prober } from '../probe/prober.ts'
import { directoryOf } from '../wire/bodies/review-body.ts'
import { baseUrlOf } from './base-url.ts'
import { nowUs } from './clock.ts'
import type { Config } from './config.ts'
import { Crew } from './crew/crew.ts'
import { egressOf } from './egress.ts'
import { createLogKeeping, logSeedOf } from './evidence-log/keeping.ts'
import { ingestWith } from './ingesting.ts'
import { createLog } from './log.ts'
import { createPayments } from './payments.ts'
import { proberOf } from './probing.ts'
import { retainDaily } from './retaining.ts'
import { createReviewWriting } from './reviews.ts'
import { createSelling } from './sellers/selling.ts'
import { listenProblem } from './serving/listen-problem.ts'
import type { Part } from './serving/part.ts'
import { openStores } from './serving/stores.ts'
import { startWeb } from './serving/web.ts'
import { version } from './version.ts'
import { type Condition, logCondition, probingCondition, replicaCondition } from './watching/condition.ts'
import { createMetrics } from './watching/metrics.ts'
import { type Answering, serveWatching, type WatchServer } from './watching/watch-server.ts'

/**
 * The one place that builds everything: store, and what each role needs. Where web workers share a port, the leader does all
 * of it but answer, and a member nothing else.
 */
export async function serve(config: Config, roles: readonly Role[] = ROLES, as: Part = {}): Promise<Running> {
  const { member } = as
  const log =
    member === undefined ? createLog(config.logLevel) : createLog(config.logLevel).child({ worker: member.number })
  const misspelt = member === undefined ? config.misspelt : []
  for (const { name, meant } of misspelt) log.warn({ variable: name, meant }, 'a variable that nothing reads')
  const stores = await openStores(config, roles.includes('web'), as, log)
  const { store, written, reading, replicas } = stores
  let prober: Prober | undefined
  let web: Pick<WebServer, 'port' | 'cacheBytes' | 'drain'> | null = null
  let crew: Crew | undefined
  const own = (): Condition => ({ ...probingCondition(prober), ...logCondition(logKeeping.unpublished()) })
  const condition = (): Condition => ({
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
  const baseUrl = (): string => baseUrlOf(config, web?.port)
  const signedFor = (): string => directoryOf(baseUrl())
  let door: Egress | undefined
  const egress = (): Egress => {
    door ??= egressOf(config, baseUrl())
    return door
  }
  const payments = await createPayments(config, written, log, metrics.called, member?.shared.limits)
  const reviewing = createReviewWriting(config, written, log, signedFor, metrics.called)
  const selling = createSelling({
    ...{ config, store: written, log, egress, directory: signedFor },
    ...{ onCall: metrics.called, onWrite: metrics.sold },
  })
  let listening = (): void => undefined
  const listened = new Promise<void>((resolve) => {
    listening = resolve
  })
  const logKeeping = createLogKeeping({ config, store, log, baseUrl: () => listened.then(baseUrl) })
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
      const { threads, policy, writeLimits } = payments
      web = await startWeb({
        ...{ config, stores, log, condition, onAnswer: metrics.answered, shared: member?.shared },
        ...{ threads, policy, writeLimits, reviews: reviewing.reviews, sellers: selling.sellers },
        evidenceLog: logKeeping.open,
      })
    }
    listening()
  } catch (error) {
    await watched?.close()
    await stores.close()
    throw error
  }
  member?.serving(web?.port ?? 0, metrics.measured)
  const stopping = new AbortController()
  const { signal } = stopping
  const isKeeping = web !== null && member === undefined
  const works: Promise<unknown>[] = []
  if (isKeeping) works.push(payments.reconcile(signal), reviewing.keep(signal), selling.keep(signal))
  if (isKeeping || roles.includes('log')) works.push(logKeeping.keep(signal))
  if (roles.includes('ingest')) works.push(ingestWith(config, store, egress(), signal, { log, swept: metrics.swept }))
  if (roles.includes('probe')) {
    prober = proberOf(config, store, egress(), { log, onProbe: metrics.probed, onCrowd: metrics.crowded })
    works.push(prober.run(signal), retainDaily(config, store, signal, log))
  }
  return {
    address: web === null ? null : `http://${visibleHost(config.bind)}:${web.port}`,
    baseUrl: config.baseUrl ?? null,
    stop: async (mostMs) => {
      log.info('stopping')
      stopping.abort()
      await web?.drain(mostMs)
      await watched?.close()
      await Promise.all(works)
      await stores.close()
      log.info('stopped')
    },
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

const LOCAL: readonly (string | undefined)[] = [undefined, '0.0.0.0', '::', '127.0.0.1', '::1', 'localhost']

const visibleHost = (bind: string | undefined): string => {
  if (bind === undefined || LOCAL.includes(bind)) return 'localhost'
  return bind.includes(':') ? `[${bind}]` : bind
}
