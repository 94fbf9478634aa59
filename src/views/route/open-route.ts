import type { SellerHost } from '../../domain/host.ts'
import { readRoutes } from '../../store/pages/read-host.ts'
import { readProbes } from '../../store/pages/read-probes.ts'
import { keptSinceUs } from '../../store/probes/retention.ts'
import type { Store } from '../../store/store.ts'
import type { PageRequest } from '../directory.ts'
import { probeViewOf, routeViewOf } from '../host/rows.ts'
import { probePageOf, probePositionOf } from './probe-page.ts'
import type { RoutePageView, RouteRequest } from './route-view.ts'

/** Beyond these a route's older rows and reviews are left to the lists over the API. */
const MOST = { listings: 200, probes: 0, reviews: 50 }

/** One route with a page of its entries. Costs the same however long its history is. */
export async function routePageOf(
  store: Store,
  host: SellerHost,
  hostId: number,
  asked: RouteRequest,
  { limit, cursor }: PageRequest,
): Promise<RoutePageView | undefined> {
  const after = probePositionOf(cursor)
  // Of the two schemes the later in order is https.
  const found = await readRoutes(store, hostId, { after: null, limit: 2, only: asked, most: MOST })
  const row = found.at(-1)
  if (row === undefined) return undefined
  const { method, path, rail, scheme } = row
  const entries = await readProbes(store, hostId, { method, path, rail, scheme }, after, limit + 1)
  const page = probePageOf(entries, limit, probeViewOf)
  return {
    host,
    route: { ...routeViewOf(host, row), probes: page.items },
    nextProbes: page.next,
    keptSinceUs: await keptSinceUs(store.read),
  }
}
