import type { SellerHost } from '../domain/host.ts'
import { readRoutes } from '../store/read-host.ts'
import { type ProbePosition, readProbes } from '../store/read-probes.ts'
import { keptSinceUs } from '../store/retention.ts'
import type { HostCounters } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import type { PageRequest } from './directory.ts'
import { pageOf, positionOf } from './page.ts'
import type { RoutePageView, RouteRequest } from './route-view.ts'
import { probeViewOf, routeViewOf } from './rows.ts'

/** Beyond these a route's older rows and reviews are left to the lists over the API. */
const MOST = { listings: 200, probes: 0, reviews: 50 }

/** One route with a page of its entries. Costs the same however long its history is. */
export async function routePageOf(
  store: Store,
  host: SellerHost,
  { host_id: hostId }: HostCounters,
  asked: RouteRequest,
  { limit, cursor }: PageRequest,
): Promise<RoutePageView | undefined> {
  const after = positionOf<ProbePosition>('probes', ['number', 'number', 'number', 'number'], cursor)
  // Of the two schemes the later in order is https.
  const found = await readRoutes(store, hostId, { after: null, limit: 2, only: asked, most: MOST })
  const row = found.at(-1)
  if (row === undefined) return undefined
  const { method, path, rail, scheme } = row
  const entries = await readProbes(store, hostId, { method, path, rail, scheme }, after, limit + 1)
  const page = pageOf('probes', entries, limit, probeViewOf, (entry) => [
    entry.at_us,
    entry.route_id,
    entry.status,
    entry.latency_ms,
  ])
  return {
    host,
    route: { ...routeViewOf(host, row), probes: page.items },
    nextProbes: page.next,
    keptSinceUs: await keptSinceUs(store.read),
  }
}
