import { type RawBuilder, sql } from 'kysely'
import type { SellerHost } from '../../domain/host.ts'
import { hostKey } from '../../domain/keys.ts'
import { type LatencyCount, latencyAt, middleRanks, p95Rank } from '../../domain/latency.ts'
import type { Day } from '../../domain/time/day.ts'
import { findHostId } from '../host-id.ts'
import { DAY_COLUMNS, type DayRow, daysIn, daysSince } from '../hosts/days.ts'
import { latenciesOf, latencyAtRank, medianRanks, SAMPLES } from '../hosts/summaries.ts'
import { POST_COLUMNS, POST_FIELDS, type PostRow } from '../posts/read-posts.ts'
import type { HostCounters } from '../schema.ts'
import type { Dialect } from '../sql/dialect.ts'
import { type JsonRows, rowReader } from '../sql/json-rows.ts'
import { partOf } from '../sql/parts.ts'
import { RememberedStatement } from '../sql/remembered.ts'
import type { Store } from '../store.ts'
import { differingOf, type HostNowRow, hostNowIn, nowOf, type Past, pastOf } from './host-now.ts'
import { ROUTE_COLUMNS, type RouteRow, type RouteWindow, routeList, routesIn } from './read-routes.ts'

export interface HostRead {
  readonly counters: HostCounters
  readonly medianLow: number | null
  readonly medianHigh: number | null
  readonly p95: number | null
  /** Somebody proved to speak for it. */
  readonly isClaimed: boolean
  /** A live challenge of it carried a signed offer. */
  readonly hasOffers: boolean
  readonly now: HostNowRow | null
  readonly past: Past | null
  readonly differing: HostNowRow | null
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

type HostAnswer = HostCounters & {
  kept_since_us: number | null
  name: string
  /** Of few samples all of them, of more the ranks alone. */
  latencies_json: JsonRows<LatencyCount> | null
  median_low: number | null
  median_high: number | null
  p95: number | null
  is_claimed: number | null
  has_offers: number | null
  now_json: JsonRows<HostNowRow>
  past: Past | null
  differing_json: JsonRows<HostNowRow>
  days_json: JsonRows<DayRow>
  routes_json: JsonRows<RouteRow>
  posts_json: JsonRows<PostRow>
}

const postsIn = rowReader<PostRow>(POST_COLUMNS)

/** Up to here finding the ranks takes longer than reading all. */
const FEW_SAMPLES = 512

const LATENCY_COLUMNS = { latencyMs: 'value', n: 'value' } as const
const latenciesIn = rowReader<LatencyCount>(LATENCY_COLUMNS)

const ofMany = (rank: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`case when ${SAMPLES} > ${sql.lit(FEW_SAMPLES)} then ${rank} end`

function ranksOf(row: HostAnswer): Pick<HostRead, 'medianLow' | 'medianHigh' | 'p95'> {
  if (row.latencies_json === null) return { medianLow: row.median_low, medianHigh: row.median_high, p95: row.p95 }
  const latencies = latenciesIn(row.latencies_json)
  const samples = latencies.reduce((sum, { n }) => sum + n, 0)
  const [low, high] = middleRanks(samples)
  const [medianLow, medianHigh, p95] = [low, high, p95Rank(samples)].map((rank) => latencyAt(latencies, rank))
  return { medianLow: medianLow ?? null, medianHigh: medianHigh ?? null, p95: p95 ?? null }
}

function hostStatement(
  dialect: Dialect,
  hostId: number,
  routes: RouteWindow,
  posts: number,
  since: Day,
): RawBuilder<HostAnswer> {
  const own = sql`${hostId}`
  const postList = sql`select ${POST_FIELDS}
    from posts where host_id = ${hostId} order by posted_us, post_id limit ${posts}`
  return sql<HostAnswer>`select h.name, c.*, ${nowOf(dialect, own)} as now_json, ${pastOf(own)} as past,
      ${differingOf(dialect, own)} as differing_json, (select max(kept_since_us) from retention) as kept_since_us,
      (select 1 from claims as k where k.host_id = ${hostId} limit 1) as is_claimed,
      (select 1 from signed_offers as g where g.host_id = ${hostId} limit 1) as has_offers,
      case when ${SAMPLES} <= ${sql.lit(FEW_SAMPLES)} then ${dialect.jsonRows(LATENCY_COLUMNS, latenciesOf(hostId))} end as latencies_json,
      ${ofMany(latencyAtRank(own, medianRanks.low))} as median_low,
      ${ofMany(latencyAtRank(own, medianRanks.high))} as median_high,
      ${ofMany(latencyAtRank(own, sql`(${SAMPLES} * 95 + 99) / 100`))} as p95,
      ${dialect.jsonRows(DAY_COLUMNS, daysSince(hostId, since))} as days_json,
      ${dialect.jsonRows(ROUTE_COLUMNS, routeList({ dialect }, hostId, routes))} as routes_json,
      ${dialect.jsonRows(POST_COLUMNS, postList)} as posts_json
    from hosts as h join host_counters as c on c.host_id = h.host_id
    where h.host_id = ${hostId} and c.host_id = ${hostId}`
}

/** Of the first routes of a host, whichever they are: what nearly everybody asks for. */
const FIRST_ROUTES = new RememberedStatement(
  { hostId: 0, limit: 0, posts: 0, since: 0 },
  (dialect, { hostId, limit, posts, since }) => hostStatement(dialect, hostId, { after: null, limit }, posts, since),
)

const isOfFirstRoutes = ({ after, q = null, method = null, only, most }: RouteWindow): boolean =>
  after === null && q === null && method === null && only === undefined && most === undefined

async function readHostAt(store: Store, hostId: number, routes: RouteWindow, posts: number, since: Day) {
  const part = partOf(store, hostId)
  const rows = isOfFirstRoutes(routes)
    ? await FIRST_ROUTES.run(part, { hostId, limit: routes.limit, posts, since })
    : (await hostStatement(part.dialect, hostId, routes, posts, since).execute(part.read)).rows
  const row = rows[0]
  if (row === undefined) return undefined
  return {
    name: row.name,
    counters: row,
    ...ranksOf(row),
    isClaimed: row.is_claimed !== null,
    hasOffers: row.has_offers !== null,
    now: hostNowIn(row.now_json)[0] ?? null,
    past: row.past,
    differing: hostNowIn(row.differing_json)[0] ?? null,
    keptSinceUs: row.kept_since_us,
    days: daysIn(row.days_json),
    routes: routesIn(row.routes_json),
    posts: postsIn(row.posts_json),
  }
}
