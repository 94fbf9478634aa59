import type { SellerHost } from '../domain/host.ts'
import { type LatencySummary, medianOf } from '../domain/latency.ts'
import { networkKey } from '../domain/network.ts'
import type { Rail } from '../domain/route.ts'
import { RESULT_COLUMN } from '../store/deltas.ts'
import { findHostId } from '../store/hosts.ts'
import { type HostRead, type RoutePosition, type RouteRow, readHost, readRoutes } from '../store/read-host.ts'
import { type HostFilter, type HostListRow, type HostPosition, namesAround, readHosts } from '../store/read-hosts.ts'
import { countProbes, type ProbePosition, readProbes } from '../store/read-probes.ts'
import { readPosts, readReviews, type WritingPosition } from '../store/read-writing.ts'
import type { HostCounters } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import type { Directory } from './directory.ts'
import type { HostView, Page } from './host-view.ts'
import type { HostQuery, HostRow } from './hosts-view.ts'
import { nearest, searchStarts } from './near.ts'
import { sourcesViewOf } from './open-sources.ts'
import { pageOf, positionOf } from './page.ts'
import {
  agentReviewsOf,
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

/** The reading side over a store; `listed` are the sources that this directory is set up to read. */
export function directoryOf(store: Store, listed: readonly ListedSource[] = []): Directory {
  const totals = new RememberedTotals(store)

  const counted = async (host: SellerHost): Promise<HostCounters | undefined> => {
    const hostId = await findHostId(store.read, host)
    if (hostId === undefined) return undefined
    return store.read.selectFrom('host_counters').selectAll().where('host_id', '=', hostId).executeTakeFirst()
  }

  const hosts = async (query: HostQuery): Promise<Page<HostRow>> => {
    const byName = query.sort === 'host'
    const kind = `hosts-${query.sort}`
    const after = positionOf<HostPosition>(kind, byName ? ['string'] : ['number', 'number'], query.cursor)
    const rows = await readHosts(store, filterOf(query), query.sort, after, query.limit + 1)
    const position = (row: HostListRow) => (byName ? [row.name] : [row.sort_value, row.host_id])
    return pageOf(kind, rows, query.limit, hostRowOf, position)
  }

  return {
    hostVersion: async (host) => (await counted(host))?.version,
    hostView: async (host, { limit, cursor }) => {
      const after = routePosition(cursor)
      const read = await readHost(store, host, { after, limit: limit + 1 }, POSTS_SHOWN + 1)
      return read && hostViewOf(host, read, limit)
    },
    routes: async (host, { limit, cursor }) => {
      const after = routePosition(cursor)
      const counters = await counted(host)
      if (!counters) return undefined
      const rows = await readRoutes(store, counters.host_id, { after, limit: limit + 1 })
      return { total: counters.routes, ...routePage(host, rows, limit) }
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
    reviews: async (host, { limit, cursor }) => {
      const after = positionOf<WritingPosition>('reviews', ['number', 'string'], cursor)
      const counters = await counted(host)
      if (!counters) return undefined
      const rows = await readReviews(store, counters.host_id, after, limit + 1)
      const page = pageOf('reviews', rows, limit, reviewViewOf, (row) => [row.submitted_us, row.review_id])
      return { total: counters.reviews, ...page }
    },
    thread: async (host, { limit, cursor }) => {
      const after = positionOf<WritingPosition>('posts', ['number', 'string'], cursor)
      const counters = await counted(host)
      if (!counters) return undefined
      const rows = await readPosts(store, counters.host_id, after, limit + 1)
      return { total: counters.posts, ...postPage(rows, limit) }
    },
    hosts,
    home: async (query) => {
      const page = await hosts(query)
      return { query, totals: await totals.read(), rows: page.items, next: page.next }
    },
    sources: () => sourcesViewOf(store, listed, () => Date.now() * 1000),
    nearHosts: async (host) => {
      const around = await Promise.all(searchStarts(host).map((start) => namesAround(store, start, 25)))
      return nearest(host, around.flat(), NEAR_MATCHES)
    },
    epoch: () => store.epoch() + totals.renewals,
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

function hostViewOf(host: SellerHost, read: HostRead, limit: number): HostView {
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

const filterOf = (query: HostQuery): HostFilter => ({
  q: query.q,
  rail: query.rail,
  networkKey: query.network === null ? null : networkKey(query.network),
  maxPrice: query.maxPrice,
  result: query.result === null ? null : RESULT_COLUMN[query.result],
})

function hostRowOf(row: HostListRow): HostRow {
  const rails: Rail[] = [...(row.has_x402 ? (['x402'] as const) : []), ...(row.has_mpp ? (['mpp'] as const) : [])]
  return {
    host: row.name,
    routes: row.routes,
    rails,
    priceMin: row.price_min,
    priceMax: row.price_max,
    results: resultsOf(row),
    newestEvidenceUs: row.newest_probe_us,
    reviewCounts: reviewCountsOf(row),
  }
}
