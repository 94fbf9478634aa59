import { networkKey } from '../domain/network.ts'
import { formatPrice, type MicroDollars } from '../domain/price.ts'
import { formatTimestamp, type TimestampUs } from '../domain/timestamp.ts'
import type { RouteView } from '../views/host-view.ts'

export interface ObservedPrice {
  readonly price: MicroDollars
  readonly atUs: TimestampUs
}

/**
 * What the newest live challenge asked for on the route's rail: on the listed network where it was offered there,
 * the listed price where it is among the offers, else the lowest offer. `null` while no price was read.
 */
export function observedPrice(route: RouteView): ObservedPrice | null {
  const newest = route.probes.find((probe) => probe.challenge !== null)
  const offers = (newest?.challenge?.offers ?? []).filter((offer) => offer.rail === route.rail)
  const listedOn = route.network === null ? null : networkKey(route.network)
  const there = offers.filter((offer) => offer.network !== null && networkKey(offer.network) === listedOn)
  const prices = (there.length > 0 ? there : offers).flatMap((offer) => (offer.price === null ? [] : [offer.price]))
  if (newest === undefined || prices.length === 0) return null
  const same = prices.find((price) => price === route.price)
  return { price: same ?? Math.min(...prices), atUs: newest.atUs }
}

/** In words, where the observed price is not the listed one. */
export function priceDifference(route: RouteView): string | null {
  const observed = observedPrice(route)
  if (observed === null || observed.price === route.price) return null
  const listed = route.price === null ? 'no price is listed' : `the listed price is ${formatPrice(route.price)}`
  return `Machine-observed price ${formatPrice(observed.price)} in the newest challenge (${formatTimestamp(observed.atUs)}); ${listed}.`
}
