import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { classify } from '../domain/probe.ts'
import type { OnAnswer } from '../http/server/listener.ts'
import type { SweepOutcome } from '../ingest/sweep/sweep-store.ts'
import type { Probed } from '../probe/probe-route.ts'
import type { ProberStatus } from '../probe/prober.ts'
import { paymentTotals } from '../store/posts/payments.ts'
import type { Store } from '../store/store.ts'

/** What the program counts about itself, for Prometheus. Names and labels are a published format: `docs/operating.md`. */
export interface Metrics {
  readonly answered: OnAnswer
  probed(seen: Probed): void
  /** Many seller hosts lead to one address. */
  crowded(): void
  swept(outcome: Pick<SweepOutcome, 'source' | 'status' | 'seen' | 'stored' | 'endedUs'>): void
  /** The text that a scrape reads. */
  text(): Promise<string>
}

/** What is only looked at when somebody scrapes. */
export interface Gauges {
  readonly store: Store
  prober(): ProberStatus | undefined
  cacheBytes(): number
}

const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function createMetrics(gauges: Gauges): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  /** Cached answers to GET since the last scrape, by status: a labelled counter would cost each of them a text. */
  const cached = new Map<number, number>()
  const requests = new Counter({
    name: 'tollbook_requests_total',
    help: 'Requests answered, by method, status and whether the bytes came out of the cache.',
    labelNames: ['method', 'status', 'cached'],
    registers,
    collect() {
      for (const [status, n] of cached) this.inc({ method: 'GET', status, cached: 'yes' }, n)
      cached.clear()
    },
  })
  const seconds = new Histogram({
    name: 'tollbook_request_seconds',
    help: 'Time to the end of answers that did not come out of the cache.',
    buckets: SECONDS,
    registers,
  })
  const probes = new Counter({
    name: 'tollbook_probes_total',
    help: 'Probes, by result class and error.',
    labelNames: ['result', 'error'],
    registers,
  })
  const crowds = new Counter({
    name: 'tollbook_crowded_addresses_total',
    help: 'Addresses that 50 or more seller hosts were found to lead to.',
    registers,
  })
  const sweeps = new Counter({
    name: 'tollbook_sweeps_total',
    help: 'Sweeps of listing sources, by source and how they ended.',
    labelNames: ['source', 'status'],
    registers,
  })
  const sweptItems = new Counter({
    name: 'tollbook_sweep_items_total',
    help: 'Items of listing sources, by source and whether they were seen or stored.',
    labelNames: ['source', 'what'],
    registers,
  })
  const lastSweep = new Gauge({
    name: 'tollbook_last_complete_sweep_timestamp_seconds',
    help: 'End of the newest complete sweep of each source.',
    labelNames: ['source'],
    registers,
  })
  new Gauge({
    name: 'tollbook_cache_bytes',
    help: 'Bytes of pages that are kept ready.',
    registers,
    collect() {
      this.set(gauges.cacheBytes())
    },
  })
  new Gauge({
    name: 'tollbook_store_load',
    help: 'Connections of the database in use, idle and waited for; on SQLite statements that wait for the writer.',
    labelNames: ['what'],
    registers,
    collect() {
      for (const [what, value] of Object.entries(gauges.store.load())) this.set({ what }, value)
    },
  })
  new Gauge({
    name: 'tollbook_prober',
    help: 'Hosts being visited, and entries that wait to be saved.',
    labelNames: ['what'],
    registers,
    collect() {
      const status = gauges.prober()
      this.set({ what: 'visiting' }, status?.visiting ?? 0)
      this.set({ what: 'waiting' }, status?.waiting ?? 0)
    },
  })
  new Gauge({
    name: 'tollbook_prober_up',
    help: '1 while probes are made and saved, 0 when offline, stopped or the store has trouble.',
    registers,
    collect() {
      this.set(gauges.prober()?.state === 'working' ? 1 : 0)
    },
  })
  new Gauge({
    name: 'tollbook_payments',
    help: 'Payments for posts, by rail, network and state.',
    labelNames: ['rail', 'network', 'state'],
    registers,
    async collect() {
      for (const { rail, state, network, payments } of await paymentTotals(gauges.store)) {
        this.set({ rail, state, network }, payments)
      }
    },
  })
  return {
    answered: (method, status, ms) => {
      if (ms === null && method === 'GET') {
        cached.set(status, (cached.get(status) ?? 0) + 1)
        return
      }
      requests.inc({ method: KNOWN_METHODS.has(method) ? method : 'other', status, cached: ms === null ? 'yes' : 'no' })
      if (ms !== null) seconds.observe(ms / 1000)
    },
    probed: ({ entry }) => probes.inc({ result: classify(entry.httpStatus), error: entry.error ?? 'none' }),
    crowded: () => crowds.inc(),
    swept: ({ source, status, seen, stored, endedUs }) => {
      sweeps.inc({ source, status })
      sweptItems.inc({ source, what: 'seen' }, seen)
      sweptItems.inc({ source, what: 'stored' }, stored)
      if (status === 'complete') lastSweep.set({ source }, endedUs / 1_000_000)
    },
    text: () => registry.metrics(),
  }
}

/** Strangers choose the method: only these become labels. */
const KNOWN_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export interface MetricsServer {
  readonly port: number
  close(): Promise<void>
}

/** A port of its own, so that scrapes need no way through the public one. */
export async function serveMetrics(metrics: Metrics, port: number, bind: string | undefined): Promise<MetricsServer> {
  const server: Server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    metrics.text().then(
      (text) => response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text),
      () => response.writeHead(503, { 'Retry-After': '5' }).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host: bind }, resolve)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
