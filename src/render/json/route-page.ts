import type { RoutePageView } from '../../views/route/route-view.ts'
import { observedPrice } from '../observed.ts'
import { apiHostHref, fullAddress, routeHref, type Site } from '../site.ts'
import { priceOrNull, timeOrNull } from '../values.ts'
import { routeJson } from './route.ts'

/** One route with everything that is known about it; `next` continues its probe entries. */
export function routePageJson(site: Site, { host, route, nextProbes, keptSinceUs }: RoutePageView) {
  const next = nextProbes === null ? null : routeHref(host, route, { format: 'json', cursor: nextProbes })
  return {
    host,
    host_href: fullAddress(site, apiHostHref(host)),
    ...routeJson(site, route, { cards: false }),
    scheme: route.scheme,
    observed_price: priceOrNull(observedPrice(route)?.price ?? null),
    entries_kept_since: timeOrNull(keptSinceUs),
    next: next === null ? null : fullAddress(site, next),
  }
}
