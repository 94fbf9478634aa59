import type { RoutePageView } from '../../views/route/route-view.ts'
import { askedJson } from '../asked-prices.ts'
import { payeesJson, shownPayees } from '../buyers/payees.ts'
import { challengeFaults, observedPrice } from '../observed.ts'
import { apiHostHref, apiListingHistoryHref, fullAddress, routeHref, type Site } from '../site.ts'
import { priceOrNull, timeOrNull } from '../values.ts'
import { dayJson, windowJson } from './results.ts'
import { routeJson } from './route.ts'

/** One route with everything that is known about it; `next` continues its probe entries. */
export function routePageJson(site: Site, view: RoutePageView) {
  const { host, route, nextProbes, keptSinceUs } = view
  const next = nextProbes === null ? null : routeHref(host, route, { format: 'json', cursor: nextProbes })
  return {
    host,
    host_href: fullAddress(site, apiHostHref(host)),
    listing_history_href: fullAddress(site, apiListingHistoryHref(host)),
    ...routeJson(site, route, { cards: false }),
    scheme: route.scheme,
    observed_price: priceOrNull(observedPrice(route)?.price ?? null),
    challenge_faults: [...challengeFaults(route)],
    observed_prices: askedJson(view.asked),
    payees: payeesJson(shownPayees(view.payees), view.payeesTotal),
    windows: view.windows.map(windowJson),
    days: view.days.map(dayJson),
    entries_kept_since: timeOrNull(keptSinceUs),
    next: next === null ? null : fullAddress(site, next),
  }
}
