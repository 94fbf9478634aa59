import { type RawBuilder, sql } from 'kysely'
import type { SellerHost } from '../domain/host.ts'
import { hostKey } from '../domain/keys.ts'
import { LATENCY_STEPS } from './deltas.ts'
import { findHostId } from './hosts.ts'
import { POST_COLUMNS, type PostRow, REVIEW_COLUMNS, type ReviewRow, reviewsOfRoute } from './read-writing.ts'
import type { HostCounters } from './schema.ts'
import type { Store } from './store.ts'

export interface RouteRow {
  scheme: string
  method: string
  path: string
  rail: string
  price: number | null
  network: string | null
  probe_status: string
  probes_total: number
  reviews_total: number
  listings: { source: string; price: number; network: string; first_us: number; last_us: number }[]
  probes: ProbeRow[]
  reviews: ReviewRow[]
}

export interface ProbeRow {
  at_us: number
  status: number
  latency_ms: number
  error: string | null
  /** JSON text of a challenge. */
  challenge: string | null
}

/** Where a list of routes continues: after this one. */
export type RoutePosition = readonly [path: string, method: string, rail: string, scheme: string]

export interface RouteWindow {
  readonly after: RoutePosition | null
  readonly limit: number
}

/** On a host view; the pages of each list have all of them. */
const NEWEST_PROBES = 5
const NEWEST_REVIEWS = 5
/** Rows of one route, newest first. A price that changes daily would make the page grow for ever. */
const NEWEST_LISTINGS = 20

export interface HostRead {
  readonly counters: HostCounters
  readonly medianLow: number | null
  readonly medianHigh: number | null
  readonly keptSinceUs: number | null
  readonly routes: RouteRow[]
  readonly posts: PostRow[]
}

/** Everything a host view shows, of one moment, in one statement. */
export async function readHost(
  store: Store,
  host: SellerHost,
  routes: RouteWindow,
  posts: number,
): Promise<HostRead | undefined> {
  const read = await readHostAt(store, hostKey(host), routes, posts)
  if (read?.name === host) return read
  const hostId = await findHostId(store.read, host)
  return hostId === undefined ? undefined : readHostAt(store, hostId, routes, posts)
}

async function readHostAt(store: Store, hostId: number, routes: RouteWindow, posts: number) {
  const { dialect } = store
  const postList = sql`select post_id, text, wallet, signature, signed_at, posted_us, rail, payment_network,
      payment_transaction, payer, hidden_us, hidden_reason
    from posts where host_id = ${hostId} order by posted_us, post_id limit ${posts}`
  const found = await sql<
    HostCounters & {
      kept_since_us: number | null
      name: string
      median_low: number | null
      median_high: number | null
      routes_json: unknown
      posts_json: unknown
    }
  >`select h.name, c.*, (select max(kept_since_us) from retention) as kept_since_us,
      ${latencyAtRank(hostId, sql`(${SAMPLES} + 1) / 2`)} as median_low,
      ${latencyAtRank(hostId, sql`${SAMPLES} / 2 + 1`)} as median_high,
      ${dialect.jsonRows(ROUTE_COLUMNS, routeList(store, hostId, routes))} as routes_json,
      ${dialect.jsonRows(POST_COLUMNS, postList)} as posts_json
    from hosts as h join host_counters as c on c.host_id = h.host_id
    where h.host_id = ${hostId} and c.host_id = ${hostId}`.execute(store.read)
  const row = found.rows[0]
  if (row === undefined) return undefined
  return {
    name: row.name,
    counters: row,
    medianLow: row.median_low,
    medianHigh: row.median_high,
    keptSinceUs: row.kept_since_us,
    routes: fromJson<RouteRow[]>(row.routes_json),
    posts: fromJson<PostRow[]>(row.posts_json),
  }
}

/** Postgres's driver has parsed it already. */
export const fromJson = <T>(value: unknown): T => (typeof value === 'string' ? JSON.parse(value) : (value as T))

const ROUTE_COLUMNS = {
  scheme: 'value',
  method: 'value',
  path: 'value',
  rail: 'value',
  price: 'value',
  network: 'value',
  probe_status: 'value',
  probes_total: 'value',
  reviews_total: 'value',
  listings: 'json',
  probes: 'json',
  reviews: 'json',
} as const

/** A host's routes in their order, each with its listing rows and its newest entries and reviews. */
export function routeList({ dialect }: Store, hostId: number, { after, limit }: RouteWindow): RawBuilder<unknown> {
  const ofRoute = (alias: string) =>
    sql`${sql.ref(`${alias}.host_id`)} = ${hostId} and ${sql.ref(`${alias}.route_id`)} = r.route_id`
  const listings = dialect.jsonRows(
    { source: 'value', price: 'value', network: 'value', first_us: 'value', last_us: 'value' },
    sql`select source, price, network, first_us, last_us from listings as l where ${ofRoute('l')}
      order by last_us desc, price, source, network limit ${NEWEST_LISTINGS}`,
  )
  const probes = dialect.jsonRows(
    { at_us: 'value', status: 'value', latency_ms: 'value', error: 'value', challenge: 'value' },
    sql`select at_us, status, latency_ms, error, (select body from challenges as b
        where b.host_id = ${hostId} and b.challenge_id = p.challenge_id) as challenge
      from probes as p where ${ofRoute('p')}
      order by at_us desc, status desc, latency_ms desc limit ${NEWEST_PROBES}`,
  )
  const reviews = dialect.jsonRows(REVIEW_COLUMNS, reviewsOfRoute(ofRoute('w'), NEWEST_REVIEWS))
  const position = after && sql`and (r.path, r.method, r.rail, r.scheme) > (${sql.join(after)})`
  return sql`select r.scheme, r.method, r.path, r.rail, s.price, s.network, s.probe_status, s.probes as probes_total,
      s.reviews as reviews_total, ${listings} as listings, ${probes} as probes, ${reviews} as reviews
    from routes as r join route_state as s on s.host_id = ${hostId} and s.route_id = r.route_id
    where r.host_id = ${hostId} ${position ?? sql``}
    order by r.path, r.method, r.rail, r.scheme limit ${limit}`
}

/** One page of a host's routes. */
export async function readRoutes(store: Store, hostId: number, window: RouteWindow): Promise<RouteRow[]> {
  const found = await sql<{ routes: unknown }>`select
    ${store.dialect.jsonRows(ROUTE_COLUMNS, routeList(store, hostId, window))} as routes`.execute(store.read)
  return fromJson<RouteRow[]>(found.rows[0]?.routes)
}

const SAMPLES = sql`(c.answers + c.correct_402 + c.failed + c.unreachable)`
const [FINE, COARSE] = LATENCY_STEPS

/**
 * The latency of the entry at a rank: first the 128 ms that hold it, then the millisecond within them. The inner query
 * depends on the outer one's row, so that Postgres reads 128 fine rows and not all of them.
 */
function latencyAtRank(hostId: number, rank: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select (select f.latency_ms from (
        select l.latency_ms, b.below + sum(l.n) over (order by l.latency_ms) as upto
        from host_latency as l where l.host_id = ${hostId} and l.step = ${sql.lit(FINE)}
          and l.latency_ms >= b.start and l.latency_ms < b.start + ${sql.lit(COARSE)}) as f
      where f.upto >= ${rank} order by f.latency_ms limit 1)
    from (select t.latency_ms as start, t.upto - t.n as below from (
        select latency_ms, n, sum(n) over (order by latency_ms) as upto
        from host_latency where host_id = ${hostId} and step = ${sql.lit(COARSE)}) as t
      where t.upto >= ${rank} order by t.latency_ms limit 1) as b)`
}
