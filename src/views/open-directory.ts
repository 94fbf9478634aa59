import { DAY_US, type Day, dayOf } from '../domain/day.ts'
import type { Description } from '../domain/description.ts'
import type { SellerHost } from '../domain/host.ts'
import { type LatencySummary, medianOf } from '../domain/latency.ts'
import { networkKey } from '../domain/network.ts'
import type { Rail } from '../domain/route.ts'
import type { TimestampUs } from '../domain/timestamp.ts'
import { readDays } from '../store/days.ts'
import { firstDescriptions } from '../store/descriptions.ts'
import { findHostId } from '../store/hosts.ts'
import {
  countRoutes,
  type HostRead,
  type RoutePosition,
  type RouteRow,
  readHost,
  readRoutes,
} from '../store/read-host.ts'
import { type HostFilter, type HostListRow, type HostPosition, namesAround } from '../store/read-hosts.ts'
import { readPost } from '../store/read-post.ts'
import { countProbes, type ProbePosition, readProbes } from '../store/read-probes.ts'
import { countReviews, readPosts, readReviews, type WritingPosition } from '../store/read-writing.ts'
import { RESULT_COLUMN } from '../store/result-columns.ts'
import type { HostCounters } from '../store/schema.ts'
import { searchHosts } from '../store/search/search-hosts.ts'
import type { Store } from '../store/store.ts'
import { encodeCursor } from '../wire/cursor.ts'
import { cataloguePart, partsOf, sumOfResults } from './catalogue.ts'
import { type DayView, HOST_DAYS, ROW_DAYS } from './day-view.ts'
import type { Directory } from './directory.ts'
import { announcementsOf } from './events-view.ts'
import { fittingDescription } from './fitting-description.ts'
import type { HostView, Page } from './host-view.ts'
import type { HostQuery, HostRow, HostSort } from './hosts-view.ts'
import { nearest, searchStarts } from './near.ts'
import { decisionOf } from './open-decision.ts'
import { routePageOf } from './open-route.ts'
import { sourcesViewOf } from './open-sources.ts'
import { pageOf, positionOf } from './page.ts'
import { postPageOf } from './post-page.ts'
import type { RouteFilter } from './route-filter.ts'
import {
  agentReviewsOf,
  dayViewOf,
  entriesOf,
  postViewOf,
  resultsOf,
  reviewCountsOf,
  reviewViewOf,
  routeProbeViewOf,
  routeViewOf,
} from './rows.ts'
import type { ListedSource } from './sources-view.ts'
import { RememberedTotals } from './totals.ts'

/** Posts on a host view; the thread's own pages have all of them. */
const POSTS_SHOWN = 20
const NEAR_MATCHES = 5
/** Of each host that a search found, to choose the one that is shown from. */
const DESCRIPTIONS_LOOKED_AT = 8
const HOUR_US = 3_600_000_000

/** The reading side over a store; `listed` are the sources that this directory is set up to read. */
export function directoryOf(
  store: Store,
  listed: readonly ListedSource[] = [],
  nowUs: () => TimestampUs = () => Date.now() * 1000,
): Directory {
  const totals = new RememberedTotals(store)
  const today = (): Day => dayOf(nowUs())

  const counted = async (host: SellerHost): Promise<HostCounters | undefined> => {
    const hostId = await findHostId(store.read, host)
    if (hostId === undefined) return undefined
    return store.read.selectFrom('host_counters').selectAll().where('host_id', '=', hostId).executeTakeFirst()
  }

  const hosts = async (query: HostQuery): Promise<Page<HostRow>> => {
    const { q, limit } = query
    // Without words nothing fits better than anything else.
    const sort = q === null && query.sort === 'match' ? 'host' : query.sort
    const kind = `hosts-${sort}`
    const after = positionOf<HostPosition>(kind, POSITIONS[sort], query.cursor)
    const filter = filterOf(query, nowUs())
    const { rows, next } = await searchHosts(store, { q, filter, order: sort, after, limit })
    const ids = rows.map((row) => row.host_id)
    const days = await readDays(store, ids, today() - ROW_DAYS + 1)
    const said = q === null ? null : await firstDescriptions(store.read, store.dialect, ids, DESCRIPTIONS_LOOKED_AT)
    const rowOf = (row: HostListRow) =>
      hostRowOf(
        row,
        (days.get(row.host_id) ?? []).map(dayViewOf),
        q === null ? null : fittingDescription(said?.get(row.host_id) ?? [], q),
      )
    return { items: rows.map(rowOf), next: next && encodeCursor(kind, next) }
  }

  const filterViewOf = async (hostId: number, filter: RouteFilter): Promise<HostView['filter']> =>
    filter.q === null && filter.method === null ? null : { ...filter, total: await countRoutes(store, hostId, filter) }

  return {
    hostVersion: async (host) => (await counted(host))?.version,
    hostView: async (host, { limit, cursor, q = null, method = null }) => {
      const window = { after: routePosition(cursor), limit: limit + 1, q, method }
      const day = today()
      const read = await readHost(store, host, window, POSTS_SHOWN + 1, day - HOST_DAYS + 1)
      if (read === undefined) return undefined
      const filter = await filterViewOf(read.counters.host_id, { q, method })
      return { ...hostViewOf(host, read, limit), today: day, filter }
    },
    route: async (host, asked, page) => {
      const counters = await counted(host)
      return counters && routePageOf(store, host, counters, asked, page)
    },
    decision: async (host, asked) => {
      const counters = await counted(host)
      return counters && decisionOf(store, host, counters, asked, nowUs())
    },
    routes: async (host, { limit, cursor, q = null, method = null }) => {
      const window = { after: routePosition(cursor), limit: limit + 1, q, method }
      const counters = await counted(host)
      if (!counters) return undefined
      const rows = await readRoutes(store, counters.host_id, window)
      const filter = await filterViewOf(counters.host_id, { q, method })
      return { total: filter?.total ?? counters.routes, ...routePage(host, rows, limit) }
    },
    probes: async (host, { limit, cursor, method, path, rail }) => {
      const after = positionOf<ProbePosition>('probes', ['number', 'number', 'number', 'number'], cursor)
      const counters = await counted(host)
      if (!counters) return undefined
      const filter = { method, path, rail }
      const all = method === null && path === null && rail === null
      const rows = await readProbes(store, counters.host_id, filter, after, limit + 1)
      const page = pageOf(
        'probes',
        rows,
        limit,
        (row) => routeProbeViewOf(host, row),
        (row) => [row.at_us, row.route_id, row.status, row.latency_ms],
      )
      return { total: all ? entriesOf(counters) : await countProbes(store, counters.host_id, filter), ...page }
    },
    reviews: async (host, { limit, cursor, level = null, method = null, path = null }) => {
      const after = positionOf<WritingPosition>('reviews', ['number', 'string'], cursor)
      const counters = await counted(host)
      if (!counters) return undefined
      const filter = { level, method, path }
      const all = level === null && method === null && path === null
      const rows = await readReviews(store, counters.host_id, after, limit + 1, filter)
      const page = pageOf('reviews', rows, limit, reviewViewOf, (row) => [row.submitted_us, row.review_id])
      return { total: all ? counters.reviews : await countReviews(store, counters.host_id, filter), ...page }
    },
    thread: async (host, { limit, cursor }) => {
      const after = positionOf<WritingPosition>('posts', ['number', 'string'], cursor)
      const counters = await counted(host)
      if (!counters) return undefined
      const rows = await readPosts(store, counters.host_id, after, limit + 1)
      return { total: counters.posts, ...postPage(rows, limit) }
    },
    post: async (id) => {
      const row = await readPost(store.read, id)
      return row && postPageOf(row)
    },
    hosts,
    home: async (query) => {
      const page = await hosts(query)
      const { hosts: all, routes, probes } = await totals.read()
      return { query, totals: { hosts: all, routes, probes }, rows: page.items, next: page.next, today: today() }
    },
    sources: () => sourcesViewOf(store, listed, nowUs),
    excludedReviews: async () => (await totals.read()).excludedReviews,
    ...announcementsOf(store),
    recentResults: async (host, days) => {
      const hostId = await findHostId(store.read, host)
      if (hostId === undefined) return undefined
      const rows = (await readDays(store, [hostId], today() - days + 1)).get(hostId) ?? []
      return { host, days, results: sumOfResults(rows.map(resultsOf)) }
    },
    catalogueParts: async () => partsOf((await totals.read()).hosts),
    cataloguePart: (part, of) => cataloguePart(store, part, of),
    nearHosts: async (host) => {
      const around = await Promise.all(searchStarts(host).map((start) => namesAround(store, start, 25)))
      return nearest(host, around.flat(), NEAR_MATCHES)
    },
    today,
    // What is said of the last day or days changes with the time alone.
    epoch: () => store.epoch() + totals.renewals + Math.floor(nowUs() / HOUR_US),
    ping: () => store.ping(),
  }
}

const routePosition = (cursor: string | null): RoutePosition | null =>
  positionOf<RoutePosition>('routes', ['string', 'string', 'string', 'string'], cursor)

const routePage = (host: SellerHost, rows: readonly RouteRow[], limit: number) =>
  pageOf(
    'routes',
    rows,
    limit,
    (row) => routeViewOf(host, row),
    (row) => [row.path, row.method, row.rail, row.scheme],
  )

const postPage = (rows: Awaited<ReturnType<typeof readPosts>>, limit: number) =>
  pageOf('posts', rows, limit, postViewOf, (row) => [row.posted_us, row.post_id])

function hostViewOf(host: SellerHost, read: HostRead, limit: number): Omit<HostView, 'today' | 'filter'> {
  const { counters } = read
  const routes = routePage(host, read.routes, limit)
  const posts = postPage(read.posts, POSTS_SHOWN)
  return {
    host,
    counters: {
      routes: counters.routes,
      machineEvidenceRows: entriesOf(counters),
      newestEvidenceUs: counters.newest_probe_us,
      agentReviews: agentReviewsOf(counters),
    },
    results: resultsOf(counters),
    latency: latencyOf(read),
    keptSinceUs: read.keptSinceUs,
    reviewCounts: reviewCountsOf(counters),
    days: read.days.map(dayViewOf),
    routes: routes.items,
    nextRoutes: routes.next,
    thread: { total: counters.posts, posts: posts.items, next: posts.next },
  }
}

function latencyOf({ counters, medianLow, medianHigh }: HostRead): LatencySummary | null {
  const { latency_min_ms: minMs, latency_max_ms: maxMs } = counters
  if (minMs === null || maxMs === null || medianLow === null || medianHigh === null) return null
  return { samples: entriesOf(counters), minMs, medianMs: medianOf(medianLow, medianHigh), maxMs }
}

/** What a list of hosts continues after. */
const POSITIONS: Readonly<Record<HostSort, readonly ('string' | 'number')[]>> = {
  match: ['number', 'string'],
  host: ['string'],
  newest: ['number', 'number'],
  routes: ['number', 'number'],
  reviews: ['number', 'number'],
}

const filterOf = (query: HostQuery, nowUs: TimestampUs): HostFilter => ({
  requestedSinceUs: query.requested === 'day' ? nowUs - DAY_US : null,
  rail: query.rail,
  networkKey: query.network === null ? null : networkKey(query.network),
  maxPrice: query.maxPrice,
  result: query.result === null ? null : RESULT_COLUMN[query.result],
})

function hostRowOf(row: HostListRow, days: readonly DayView[], description: Description | null): HostRow {
  const rails: Rail[] = [...(row.has_x402 ? (['x402'] as const) : []), ...(row.has_mpp ? (['mpp'] as const) : [])]
  return {
    host: row.name,
    routes: row.routes,
    rails,
    priceMin: row.price_min,
    priceMax: row.price_max,
    results: resultsOf(row),
    newestEvidenceUs: row.newest_probe_us,
    days,
    reviewCounts: reviewCountsOf(row),
    description,
  }
}
