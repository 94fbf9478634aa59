import { type OnSellerWrite, SELLER_WRITES, WRITE_OUTCOMES } from '../../acts/sellers/create-sellers.ts'
import { classify, RESULTS } from '../../domain/probe.ts'
import { SWEEP_STATUSES } from '../../domain/sweep.ts'
import type { OnAnswer } from '../../http/server/options.ts'
import type { SweepOutcome } from '../../ingest/sweep/sweep-store.ts'
import { ASKED, CALL_OUTCOMES, type OnCall } from '../../payment/call-outcome.ts'
import type { Probed } from '../../probe/probe-route.ts'
import type { ProberStatus } from '../../probe/prober.ts'
import type { ReplicaStanding } from '../../store/store.ts'
import { createInstruments, type Measured, ofVantage, textOfAll } from './instruments.ts'
import { createStoreGauges, type WatchedStore } from './store-gauges.ts'

/** What the program counts about itself, for Prometheus. */
export interface Metrics {
  readonly answered: OnAnswer
  readonly called: OnCall
  /** Told of every claim and statement, and what became of it. */
  readonly sold: OnSellerWrite
  probed(seen: Probed): void
  /** Many seller hosts lead to one address. */
  crowded(): void
  swept(outcome: Pick<SweepOutcome, 'source' | 'status' | 'seen' | 'stored' | 'refused'>): void
  /** The text that a scrape reads. Answers while the store is away, too. */
  text(): Promise<string>
  /** The same without what is read from the store, for a process that adds up several. */
  measured(): Promise<Measured>
}

/** What is looked at when somebody scrapes, and what this process is. */
export interface Watched extends WatchedStore {
  readonly version: string
  readonly roles: readonly string[]
  prober(): ProberStatus | undefined
  cacheBytes(): number
  /** As `LogKeeping` says it. */
  unpublished?(): string | null | undefined
  /** How the replicas are that it reads from. */
  replicas?(): ReplicaStanding | undefined
  /** The web workers that this process leads. */
  crew?(): WatchedCrew | undefined
}

export interface WatchedCrew {
  readonly size: number
  readonly serving: number
  readonly deaths: number
  measure(): Promise<Measured[]>
}

const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const ITEMS = ['seen', 'stored', 'refused'] as const

export function createMetrics(watched: Watched): Metrics {
  const instruments = createInstruments()
  const requests = instruments.counter('tollbook_requests_total')
  const seconds = instruments.histogram('tollbook_request_seconds', SECONDS)
  const probes = instruments.counter('tollbook_probes_total')
  const crowds = instruments.counter('tollbook_crowded_addresses_total')
  const sweeps = instruments.counter('tollbook_sweeps_total')
  const items = instruments.counter('tollbook_sweep_items_total')
  const calls = instruments.counter('tollbook_payment_calls_total')
  const sold = instruments.counter('tollbook_seller_writes_total')
  const cacheBytes = instruments.gauge('tollbook_cache_bytes')
  const workers = instruments.gauge('tollbook_web_workers')
  const workerEnds = instruments.counter('tollbook_web_worker_ends_total')
  const replicaUp = instruments.gauge('tollbook_replica_up')
  const replicaLag = instruments.gauge('tollbook_replica_lag_seconds')
  const proberUp = instruments.gauge('tollbook_prober_up', 'unsaid')
  const prober = instruments.gauge('tollbook_prober')
  const logUp = instruments.gauge('tollbook_log_up', 'unsaid')
  const storeGauges = createStoreGauges(instruments, watched)
  const { store, version, roles, sources } = watched
  const { engine } = store.dialect
  const build = { version, node: process.versions.node, engine, roles: roles.join(',') }
  instruments.gauge('tollbook_build_info').set(build, 1)

  // A counter that is not there before the first failure hides it: `rate` needs a value to start from.
  if (roles.includes('web')) {
    for (const method of ['GET', 'POST']) {
      for (const status of [200, 500, 503]) requests.inc({ method, status, cached: 'no' }, 0)
    }
    for (const to of ASKED) for (const outcome of CALL_OUTCOMES) calls.inc({ to, outcome }, 0)
    for (const what of SELLER_WRITES) for (const outcome of WRITE_OUTCOMES) sold.inc({ what, outcome }, 0)
  }
  if (roles.includes('probe')) for (const result of RESULTS) probes.inc({ result, error: 'none' }, 0)
  for (const { name: source } of roles.includes('ingest') ? sources : []) {
    for (const status of SWEEP_STATUSES) sweeps.inc({ source, status }, 0)
    for (const what of ITEMS) items.inc({ source, what }, 0)
  }

  /** Cached answers to GET since the last scrape, by status: a labelled counter would cost each of them a text. */
  const cached = new Map<number, number>()

  const lookAtCrew = ({ size, serving, deaths }: WatchedCrew): void => {
    workers.set({ what: 'serving' }, serving)
    workers.set({ what: 'wanted' }, size)
    workerEnds.reset()
    workerEnds.inc(deaths)
  }

  const lookAtReplicas = ({ replicas }: ReplicaStanding): void => {
    replicaLag.reset()
    for (const { name: replica, state, lagMs, lagBytes } of replicas) {
      replicaUp.set({ replica }, state === 'following' ? 1 : 0)
      if (lagBytes !== null) replicaLag.set({ replica }, lagMs / 1000)
    }
  }

  const lookAtProcess = (): void => {
    for (const [status, n] of cached) requests.inc({ method: 'GET', status, cached: 'yes' }, n)
    cached.clear()
    cacheBytes.set(watched.cacheBytes())
    const unpublished = watched.unpublished?.()
    if (unpublished !== undefined) logUp.set(unpublished === null ? 1 : 0)
    const status = watched.prober()
    if (status === undefined) return
    proberUp.set(status.state === 'working' ? 1 : 0)
    prober.set({ what: 'visiting' }, status.visiting)
    prober.set({ what: 'waiting' }, status.waiting)
  }

  return {
    answered: (method, status, ms) => {
      if (ms === null && method === 'GET') {
        cached.set(status, (cached.get(status) ?? 0) + 1)
        return
      }
      requests.inc({ method: KNOWN_METHODS.has(method) ? method : 'other', status, cached: ms === null ? 'yes' : 'no' })
      if (ms !== null) seconds.observe(ms / 1000)
    },
    called: (to, outcome) => calls.inc({ to, outcome }),
    sold: (what, outcome) => sold.inc({ what, outcome }),
    probed: ({ entry }) => {
      const labels = { result: classify(entry.httpStatus), error: entry.error ?? 'none' }
      probes.inc({ ...labels, ...ofVantage(entry.vantage) })
    },
    crowded: () => crowds.inc(),
    swept: ({ source, status, seen, stored, refused }) => {
      sweeps.inc({ source, status })
      const all = { seen, stored, refused: Object.values(refused).reduce((sum, n) => sum + n, 0) }
      for (const what of ITEMS) items.inc({ source, what }, all[what])
    },
    text: async () => {
      lookAtProcess()
      await storeGauges.look()
      const standing = watched.replicas?.()
      if (standing !== undefined) lookAtReplicas(standing)
      const crew = watched.crew?.()
      if (crew === undefined) return instruments.text()
      lookAtCrew(crew)
      return textOfAll(await instruments.measured(), await crew.measure())
    },
    measured: () => {
      lookAtProcess()
      storeGauges.lookAtLoad()
      return instruments.measured()
    },
  }
}

/** Strangers choose the method: only these become labels. */
const KNOWN_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
