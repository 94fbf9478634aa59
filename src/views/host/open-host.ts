import type { SellerHost } from '../../domain/host.ts'
import { type LatencySummary, medianOf } from '../../domain/latency.ts'
import { dayOf } from '../../domain/time/day.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { paidCallsIn } from '../../store/hosts/outcome-columns.ts'
import { type HostRead, readHost } from '../../store/pages/read-host.ts'
import {
  countRoutes,
  type RoutePosition,
  type RouteRow,
  readOfferedRoutes,
  readRoutes,
} from '../../store/pages/read-routes.ts'
import type { Store } from '../../store/store.ts'
import type { CountedPage, OnVersion, RoutesRequest } from '../directory.ts'
import { pageOf, positionOf } from '../page.ts'
import { ROUTES, routePosition } from '../route/route-cursor.ts'
import type { RouteFilter } from '../route/route-filter.ts'
import { type Seller, SILENT, sellerOf } from '../seller/open-seller.ts'
import { countersOf, versionOf } from './counters.ts'
import { HOST_DAYS } from './day-view.ts'
import type { HostView, Page, RouteView } from './host-view.ts'
import { hostNowOf, priceCheckOf } from './now-view.ts'
import { postPageOf } from './open-lists.ts'
import { pastViewOf } from './past-view.ts'
import { agentReviewsOf, dayViewOf, entriesOf, resultsOf, reviewCountsOf, routeViewOf } from './rows.ts'

/** Posts on a host view; the thread's own pages have all of them. */
const POSTS_SHOWN = 20

/** One host with a page of its routes. `undefined`: no listing source named it. */
export async function hostViewOf(
  store: Store,
  host: SellerHost,
  { limit, cursor, q = null, method = null }: RoutesRequest,
  nowUs: TimestampUs,
  onVersion?: OnVersion,
): Promise<HostView | undefined> {
  const today = dayOf(nowUs)
  const window = { after: routePositionOf(cursor), limit: limit + 1, q, method }
  const read = await readHost(store, host, window, POSTS_SHOWN + 1, today - HOST_DAYS + 1)
  if (read === undefined) return undefined
  onVersion?.(versionOf({ ...read.counters, log_index: read.logIndex }))
  const hostId = read.counters.host_id
  const [filter, seller, offered] = await Promise.all([
    filterViewOf(store, hostId, { q, method }),
    read.isClaimed ? sellerOf(store, hostId) : SILENT,
    read.hasOffers ? offeredOf(store, host, hostId) : NONE_OFFERED,
  ])
  return { today, nowUs, filter, ...shownOf(host, read, limit, seller, offered) }
}

/** Routes with signed offers, by their numbers, judged by as much as their own pages show: a list shows less of each. */
type Offered = ReadonlyMap<number, RouteView>

const NONE_OFFERED: Offered = new Map()

const offeredOf = async (store: Store, host: SellerHost, hostId: number): Promise<Offered> =>
  new Map((await readOfferedRoutes(store, hostId)).map((row) => [row.route_id, routeViewOf(host, row)]))

/** One page of a host's routes. */
export async function routesOf(
  store: Store,
  host: SellerHost,
  { limit, cursor, q = null, method = null }: RoutesRequest,
): Promise<CountedPage<RouteView> | undefined> {
  const window = { after: routePositionOf(cursor), limit: limit + 1, q, method }
  const counters = await countersOf(store, host)
  if (counters === undefined) return undefined
  const rows = await readRoutes(store, counters.host_id, window)
  const filter = await filterViewOf(store, counters.host_id, { q, method })
  const seller = await sellerOf(store, counters.host_id)
  const isOffered = rows.some((row) => row.signed_offers.length > 0)
  const offered = isOffered ? await offeredOf(store, host, counters.host_id) : NONE_OFFERED
  return { total: filter?.total ?? counters.routes, ...routePageOf(host, rows, limit, seller, offered) }
}

const filterViewOf = async (store: Store, hostId: number, filter: RouteFilter): Promise<HostView['filter']> =>
  filter.q === null && filter.method === null ? null : { ...filter, total: await countRoutes(store, hostId, filter) }

const routePositionOf = (cursor: string | null): RoutePosition | null =>
  positionOf(ROUTES, ['string', 'string', 'string', 'string'], cursor)

function routePageOf(
  host: SellerHost,
  rows: readonly RouteRow[],
  limit: number,
  seller: Seller,
  offered: Offered,
): Page<RouteView> {
  const routeOf = (row: RouteRow): RouteView => {
    const route = routeViewOf(host, row)
    const judged = offered.get(row.route_id)
    const shown = judged === undefined ? route : { ...route, contradictions: judged.contradictions }
    return seller.route(shown, row.route_id)
  }
  return pageOf(ROUTES, rows, limit, routeOf, routePosition)
}

function shownOf(
  host: SellerHost,
  read: HostRead,
  limit: number,
  seller: Seller,
  offered: Offered,
): Omit<HostView, 'today' | 'nowUs' | 'filter'> {
  const { counters } = read
  const routes = routePageOf(host, read.routes, limit, seller, offered)
  const posts = postPageOf(read.posts, POSTS_SHOWN)
  const now = hostNowOf(host, read.now, counters)
  return {
    host,
    counters: {
      routes: counters.routes,
      machineEvidenceRows: entriesOf(counters),
      newestEvidenceUs: counters.newest_probe_us,
      agentReviews: agentReviewsOf(counters),
    },
    now,
    past: pastViewOf(now, read.past, counters),
    check: priceCheckOf(counters, read.differing),
    results: resultsOf(counters),
    latency: latencyOf(read),
    keptSinceUs: read.keptSinceUs,
    reviewCounts: reviewCountsOf(counters),
    paidCalls: paidCallsIn(counters),
    days: read.days.map(dayViewOf),
    routes: routes.items,
    contradicted: [...offered.values()].filter(({ contradictions }) => contradictions.length > 0),
    nextRoutes: routes.next,
    thread: { total: counters.posts, posts: posts.items.map((post) => seller.post(post)), next: posts.next },
    seller: seller.part(),
  }
}

function latencyOf({ counters, medianLow, medianHigh, p95: p95Ms }: HostRead): LatencySummary | null {
  const { latency_min_ms: minMs, latency_max_ms: maxMs } = counters
  if (minMs === null || maxMs === null || medianLow === null || medianHigh === null || p95Ms === null) return null
  return { samples: entriesOf(counters), minMs, medianMs: medianOf(medianLow, medianHigh), p95Ms, maxMs }
}
