import type { SellerHost } from '../../domain/host.ts'
import { askedPrices } from '../../domain/money/asked-prices.ts'
import type { Rail } from '../../domain/route.ts'
import { DAY_US, dayOf } from '../../domain/time/day.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { findListed } from '../../store/hosts/find-route.ts'
import { MOST_CHALLENGES } from '../../store/pages/read-challenges.ts'
import type { PayeeRow } from '../../store/pages/read-decision.ts'
import { readRouteProbes } from '../../store/pages/read-probes.ts'
import { type RoutePageRead, type RouteRead, readRoutePage } from '../../store/pages/read-route-page.ts'
import type { Store } from '../../store/store.ts'
import type { PageRequest } from '../directory.ts'
import { HOST_DAYS } from '../host/day-view.ts'
import type { RouteView } from '../host/host-view.ts'
import { dayViewOf, probeViewOf, routeViewOf } from '../host/rows.ts'
import { SILENT, sellerOf } from '../seller/open-seller.ts'
import { entryPageOf, probePositionOf } from './probe-page.ts'
import type { AskedView, RoutePageView, RouteRequest, SeenPayee } from './route-view.ts'
import { windowsOf, windowTimes } from './windows.ts'

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
  const found = await findListed(store, hostId, asked)
  if (found === undefined) return undefined
  const today = dayOf(nowUs)
  const wanted = { hostId, found, entries: after === null ? limit + 1 : 0, times: windowTimes(nowUs) }
  const read = await readRoutePage(store, wanted, (today - HOST_DAYS + 1) * DAY_US)
  if (read === undefined) return undefined
  const seen = await seenRouteOf(store, host, hostId, read, nowUs)
  const at = { hostId, routeId: found.routeId }
  const entries =
    after === null ? seen.route.probes : (await readRouteProbes(store, at, after, limit + 1)).map(probeViewOf)
  const page = entryPageOf(entries, limit, found.routeId)
  return {
    days: read.days.map(dayViewOf),
    today,
    nextProbes: page.next,
    keptSinceUs: read.keptSinceUs,
    asked: askedOf(read, asked.rail),
    ...seen,
    route: { ...seen.route, probes: page.items },
  }
}

function askedOf({ challenges }: RoutePageRead, rail: Rail): AskedView {
  const entries = challenges.reduce((sum, seen) => sum + seen.entries, 0)
  return { prices: askedPrices(rail, challenges), entries, isCut: entries === MOST_CHALLENGES }
}

/** What a page of one route and a decision about it have in common. */
export type SeenRoute = Pick<RoutePageView, 'host' | 'route' | 'windows' | 'nowUs' | 'payees' | 'payeesTotal'>

/** What was read of one route, beside it what its seller says. */
export async function seenRouteOf(
  store: Store,
  host: SellerHost,
  hostId: number,
  read: RouteRead,
  nowUs: TimestampUs,
): Promise<SeenRoute> {
  const seller = read.isClaimed ? await sellerOf(store, hostId) : SILENT
  const route: RouteView = seller.route(routeViewOf(host, read.route), read.route.route_id)
  const { payeesTotal } = read
  return { host, route, windows: windowsOf(read.counts, nowUs), nowUs, payees: read.payees.map(payeeOf), payeesTotal }
}

const payeeOf = (row: PayeeRow): SeenPayee => ({
  network: row.network === '' ? null : row.network,
  payee: row.payee,
  asset: row.asset === '' ? null : row.asset,
  origin: row.origin,
  firstUs: row.first_us,
  lastUs: row.last_us,
})
