import { type RawBuilder, sql } from 'kysely'
import type { SellerHost } from '../../domain/host.ts'
import { hostKey } from '../../domain/keys.ts'
import { type LatencyCount, latencyAt, middleRanks, p95Rank } from '../../domain/latency.ts'
import type { Day } from '../../domain/time/day.ts'
import { COUNTER_COLUMNS } from '../hosts/counter-columns.ts'
import { DAY_COLUMNS, type DayRow, daysSince } from '../hosts/days.ts'
import { hostIdIn } from '../hosts/named-host.ts'
import { HISTOGRAM_COLUMNS, histogramOf, type LatencySpan } from '../hosts/summaries.ts'
import { POST_COLUMNS, POST_FIELDS, type PostRow } from '../posts/read-posts.ts'
import type { HostCounters } from '../schema.ts'
import type { Dialect } from '../sql/dialect.ts'
import { type JsonColumns, type JsonRows, rowReader } from '../sql/json-rows.ts'
import { logIndexOf } from '../sql/log-index.ts'
import { partOf } from '../sql/parts.ts'
import { RememberedStatement } from '../sql/remembered.ts'
import type { Store } from '../store.ts'
import { differingOf, type HostNowRow, nowOf, type Past, pastOf, ROUTE_NOW } from './host-now.ts'
import { type RouteRow, type RouteWindow, routeList, routesIn } from './read-routes.ts'

export interface HostRead {
  readonly counters: HostCounters
  /** Where the evidence log has the newest of its entries; null while it has not. */
  readonly logIndex: number | null
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
  const hostId = await hostIdIn(store, host)
  return hostId === undefined ? undefined : readHostAt(store, hostId, routes, posts, since)
}

interface HostAnswer extends HostCounters {
  log_index: number | null
  kept_since_us: number | null
  name: string
  latencies: LatencyCount[]
  latency_spans: LatencySpan[]
  is_claimed: number | null
  has_offers: number | null
  now: HostNowRow[]
  past: Past | null
  differing: HostNowRow[]
  days: DayRow[]
  thread: PostRow[]
}

const HOST_COLUMNS = {
  ...COUNTER_COLUMNS,
  ...{
    name: 'value',
    log_index: 'value',
    kept_since_us: 'value',
    is_claimed: 'value',
    has_offers: 'value',
    past: 'value',
  },
  ...{ now: ROUTE_NOW, differing: ROUTE_NOW, ...HISTOGRAM_COLUMNS, days: DAY_COLUMNS, thread: POST_COLUMNS },
} as const satisfies JsonColumns

const hostsIn = rowReader<HostAnswer>(HOST_COLUMNS)

function ranksOf(row: HostAnswer): Pick<HostRead, 'medianLow' | 'medianHigh' | 'p95'> {
  const { latencies, latency_spans: spans } = row
  const samples = spans.length > 0 ? entriesIn(row) : latencies.reduce((sum, { n }) => sum + n, 0)
  const at = (rank: number): number | null => {
    const span = spans.findLast(({ below }) => below < rank) ?? { below: 0, latencies }
    return latencyAt(span.latencies, rank - span.below) ?? null
  }
  const [low, high] = middleRanks(samples)
  return { medianLow: at(low), medianHigh: at(high), p95: at(p95Rank(samples)) }
}

const entriesIn = (row: HostCounters): number => row.answers + row.correct_402 + row.failed + row.unreachable

interface HostText {
  readonly host: JsonRows<HostAnswer>
  readonly routes: JsonRows<RouteRow>
}

function hostStatement(
  dialect: Dialect,
  hostId: number,
  routes: RouteWindow,
  posts: number,
  since: Day,
): RawBuilder<HostText> {
  const own = sql`${hostId}`
  const beside = {
    log_index: logIndexOf('c.log_id'),
    now: nowOf(dialect, own),
    past: pastOf(own),
    differing: differingOf(dialect, own),
    kept_since_us: sql`(select max(kept_since_us) from retention)`,
    is_claimed: sql`(select 1 from claims as k where k.host_id = ${own} limit 1)`,
    has_offers: sql`(select 1 from signed_offers as g where g.host_id = ${own} limit 1)`,
    ...histogramOf(dialect, own),
    days: dialect.jsonRows(DAY_COLUMNS, daysSince(hostId, since)),
    thread: dialect.jsonRows(
      POST_COLUMNS,
      sql`select ${POST_FIELDS} from posts where host_id = ${own} and c.posts > 0 order by posted_us, post_id limit ${posts}`,
    ),
  }
  const counted = sql<HostAnswer>`select h.name, n.* from hosts as h join host_counters as n on n.host_id = h.host_id
    where h.host_id = ${own} and n.host_id = ${own}`
  return sql<HostText>`select ${dialect.jsonRows(HOST_COLUMNS, counted, { as: 'c', columns: beside })} as host,
    ${routeList({ dialect }, hostId, routes)} as routes`
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
  const text = rows[0]
  const [row] = hostsIn(text?.host ?? '[]')
  if (text === undefined || row === undefined) return undefined
  return {
    name: row.name,
    counters: row,
    logIndex: row.log_index,
    ...ranksOf(row),
    isClaimed: row.is_claimed !== null,
    hasOffers: row.has_offers !== null,
    now: row.now[0] ?? null,
    past: row.past,
    differing: row.differing[0] ?? null,
    keptSinceUs: row.kept_since_us,
    days: row.days,
    routes: routesIn(text.routes),
    posts: row.thread,
  }
}
