import type { SellerHost } from '../../domain/host.ts'
import { dayOf } from '../../domain/time/day.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { readRouteDays } from '../../store/hosts/days.ts'
import { type PayeeRow, readPayees } from '../../store/pages/read-decision.ts'
import { readRouteProbes } from '../../store/pages/read-probes.ts'
import { readRoute } from '../../store/pages/read-routes.ts'
import { keptSinceIn } from '../../store/probes/retention.ts'
import type { Store } from '../../store/store.ts'
import type { PageRequest } from '../directory.ts'
import { HOST_DAYS } from '../host/day-view.ts'
import { dayViewOf, probeViewOf, routeViewOf } from '../host/rows.ts'
import { sellerOf } from '../seller/open-seller.ts'
import { probePageOf, probePositionOf } from './probe-page.ts'
import type { RoutePageView, RouteRequest, SeenPayee } from './route-view.ts'
import { readWindows } from './windows.ts'

/** One route with a page of its entries. Costs the same however long its history is. */
export async function routePageOf(
  store: Store,
  host: SellerHost,
  hostId: number,
  asked: RouteRequest,
  { limit, cursor }: PageRequest,
  nowUs: TimestampUs,
): Promise<RoutePageView | undefined> {
  const after = probePositionOf(cursor)
  const row = await readRoute(store, hostId, asked)
  if (row === undefined) return undefined
  const at = { hostId, routeId: row.route_id }
  const today = dayOf(nowUs)
  const [entries, windows, days, since, seller, seen] = await Promise.all([
    readRouteProbes(store, at, after, limit + 1),
    readWindows(store, at, nowUs),
    readRouteDays(store, at, today - HOST_DAYS + 1),
    keptSinceIn(store),
    sellerOf(store, hostId),
    readPayees(store, at),
  ])
  const page = probePageOf(entries, limit, probeViewOf)
  return {
    host,
    route: { ...seller.route(routeViewOf(host, row), row.route_id), probes: page.items },
    windows,
    days: days.map(dayViewOf),
    today,
    nowUs,
    nextProbes: page.next,
    keptSinceUs: since,
    payees: seen.newest.map(payeeOf),
    payeesTotal: seen.total,
  }
}

const payeeOf = (row: PayeeRow): SeenPayee => ({
  network: row.network === '' ? null : row.network,
  payee: row.payee,
  asset: row.asset === '' ? null : row.asset,
  origin: row.origin,
  firstUs: row.first_us,
  lastUs: row.last_us,
})
