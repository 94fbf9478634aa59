import { type RawBuilder, sql } from 'kysely'
import type { Challenge } from '../../domain/challenge.ts'
import type { SellerHost } from '../../domain/host.ts'
import { hostKey } from '../../domain/keys.ts'
import type { Method, Rail, RouteKey, Scheme } from '../../domain/route.ts'
import type { Day } from '../../domain/time/day.ts'
import type { Description } from '../../domain/words/description.ts'
import { LISTING_COLUMNS, type ListingColumns } from '../facts/listings.ts'
import type { FactColumns } from '../facts/route-state.ts'
import { findHostId } from '../host-id.ts'
import { DAY_COLUMNS, type DayRow, daysSince } from '../hosts/days.ts'
import { LATENCY_STEPS } from '../hosts/latency.ts'
import { POST_COLUMNS, POST_FIELDS, type PostRow } from '../posts/read-posts.ts'
import { REVIEW_COLUMNS, type ReviewRow, reviewsOfRoute } from '../reviews/review-rows.ts'
import type { HostCounters, JsonText } from '../schema.ts'
import { readJson } from '../sql/json.ts'
import type { Store } from '../store.ts'

export interface RouteRow extends RouteKey, FactColumns {
  probes_total: number
  reviews_total: number
  listings: ListingColumns[]
  descriptions: Description[]
  probes: ProbeRow[]
  reviews: ReviewRow[]
}

export interface ProbeRow {
  at_us: number
  status: number
  latency_ms: number
  error: string | null
  challenge: JsonText<Challenge> | null
}

/** Where a list of routes continues: after this one. */
export type RoutePosition = readonly [path: string, method: string, rail: string, scheme: string]

export interface RouteWindow {
  readonly after: RoutePosition | null
  readonly limit: number
  /** Part of the path, upper or lower case. */
  readonly q?: string | null
  readonly method?: Method | null
  /** This very route; without a scheme, of either. */
  readonly only?: {
    readonly path: string
    readonly method: Method
    readonly rail: Rail
    readonly scheme: Scheme | null
  }
  /** How much of each route's evidence, where it is not what a host view shows. */
  readonly most?: { readonly listings: number; readonly probes: number; readonly reviews: number }
}

/** On a host view; the pages of each list have all of them. */
const ON_A_HOST_VIEW = {
  probes: 5,
  reviews: 5,
  /** Rows of one route, newest first. A price that changes daily would make the page grow for ever. */
  listings: 20,
}

/** Of one route, one a source: an operator has a handful of sources. */
const MOST_DESCRIPTIONS = 20

export interface HostRead {
  readonly counters: HostCounters
  readonly medianLow: number | null
  readonly medianHigh: number | null
  readonly keptSinceUs: number | null
  readonly days: DayRow[]
  readonly routes: RouteRow[]
  readonly posts: PostRow[]
}

/** Everything a host view shows, of one moment, in one statement. */
export async function readHost(
  store: Store,
  host: SellerHost,
  routes: RouteWindow,
  posts: number,
  since: Day,
): Promise<HostRead | undefined> {
  const read = await readHostAt(store, hostKey(host), routes, posts, since)
  if (read?.name === host) return read
  const hostId = await findHostId(store.read, host)
  return hostId === undefined ? undefined : readHostAt(store, hostId, routes, posts, since)
}

async function readHostAt(store: Store, hostId: number, routes: RouteWindow, posts: number, since: Day) {
  const { dialect } = store
  const postList = sql`select ${POST_FIELDS}
    from posts where host_id = ${hostId} order by posted_us, post_id limit ${posts}`
  const found = await sql<
    HostCounters & {
      kept_since_us: number | null
      name: string
      median_low: number | null
      median_high: number | null
      days_json: JsonText<DayRow[]>
      routes_json: JsonText<RouteRow[]>
      posts_json: JsonText<PostRow[]>
    }
  >`select h.name, c.*, (select max(kept_since_us) from retention) as kept_since_us,
      ${latencyAtRank(hostId, sql`(${SAMPLES} + 1) / 2`)} as median_low,
      ${latencyAtRank(hostId, sql`${SAMPLES} / 2 + 1`)} as median_high,
      ${dialect.jsonRows(DAY_COLUMNS, daysSince(hostId, since))} as days_json,
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
    days: readJson(row.days_json),
    routes: readJson(row.routes_json),
    posts: readJson(row.posts_json),
  }
}

const ROUTE_COLUMNS = {
  scheme: 'value',
  method: 'value',
  path: 'value',
  rail: 'value',
  price: 'value',
  network: 'value',
  probe_status: 'value',
  price_low: 'value',
  price_high: 'value',
  matching: 'value',
  probes_total: 'value',
  reviews_total: 'value',
  listings: 'json',
  descriptions: 'json',
  probes: 'json',
  reviews: 'json',
} as const

/** A host's routes in their order, each with its listing rows and its newest entries and reviews. */
export function routeList({ dialect }: Store, hostId: number, window: RouteWindow): RawBuilder<unknown> {
  const { after, limit, most = ON_A_HOST_VIEW } = window
  const ofRoute = (alias: string) =>
    sql`${sql.ref(`${alias}.host_id`)} = ${hostId} and ${sql.ref(`${alias}.route_id`)} = r.route_id`
  const listings = dialect.jsonRows(
    LISTING_COLUMNS,
    sql`select source, price, network, first_us, last_us, gone_us from listings as l where ${ofRoute('l')}
      order by last_us desc, price, source, network limit ${most.listings}`,
  )
  const descriptions = dialect.jsonRows(
    { source: 'value', text: 'value' },
    sql`select source, text from descriptions as d where ${ofRoute('d')}
      order by d.host_id, d.route_id, d.source limit ${sql.lit(MOST_DESCRIPTIONS)}`,
  )
  const probes = dialect.jsonRows(
    { at_us: 'value', status: 'value', latency_ms: 'value', error: 'value', challenge: 'value' },
    sql`select at_us, status, latency_ms, error, (select body from challenges as b
        where b.host_id = ${hostId} and b.challenge_id = p.challenge_id) as challenge
      from probes as p where ${ofRoute('p')}
      order by at_us desc, status desc, latency_ms desc limit ${most.probes}`,
  )
  const reviews = dialect.jsonRows(REVIEW_COLUMNS, reviewsOfRoute(ofRoute('w'), most.reviews))
  const position = after && sql`and (r.path, r.method, r.rail, r.scheme) > (${sql.join(after)})`
  return sql`select r.scheme, r.method, r.path, r.rail, s.price, s.network, s.probe_status, s.price_low, s.price_high,
      s.matching, s.probes as probes_total,
      s.reviews as reviews_total, ${listings} as listings, ${descriptions} as descriptions, ${probes} as probes, ${reviews} as reviews
    from routes as r join route_state as s on s.host_id = ${hostId} and s.route_id = r.route_id
    where r.host_id = ${hostId} ${ofWindow(window)} ${position ?? sql``}
    order by r.path, r.method, r.rail, r.scheme limit ${limit}`
}

/** Which of a host's routes are wanted, as conditions on `r`. */
function ofWindow({ q = null, method = null, only }: Omit<RouteWindow, 'after' | 'limit'>): RawBuilder<unknown> {
  const all: RawBuilder<unknown>[] = []
  if (method !== null) all.push(sql`and r.method = ${method}`)
  if (q !== null) {
    const like = `%${q.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
    all.push(sql`and lower(r.path) like ${like} escape '\\'`)
  }
  if (only) {
    all.push(sql`and r.path = ${only.path} and r.method = ${only.method} and r.rail = ${only.rail}`)
    if (only.scheme !== null) all.push(sql`and r.scheme = ${only.scheme}`)
  }
  return sql.join([...all, sql``], sql` `)
}

/** How many of a host's routes fit. Reads one index entry per route of the host. */
export async function countRoutes(
  store: Store,
  hostId: number,
  filter: Pick<RouteWindow, 'q' | 'method'>,
): Promise<number> {
  const found = await sql<{ n: number }>`select count(*) as n from routes as r
    where r.host_id = ${hostId} ${ofWindow(filter)}`.execute(store.read)
  return found.rows[0]?.n ?? 0
}

/** One page of a host's routes. */
export async function readRoutes(store: Store, hostId: number, window: RouteWindow): Promise<RouteRow[]> {
  const found = await sql<{ routes: JsonText<RouteRow[]> }>`select
    ${store.dialect.jsonRows(ROUTE_COLUMNS, routeList(store, hostId, window))} as routes`.execute(store.read)
  return readJson(found.rows[0]?.routes ?? null) ?? []
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
