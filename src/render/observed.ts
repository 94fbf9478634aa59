import { orNoData } from '../domain/count.ts'
import type { Listing } from '../domain/listing.ts'
import { formatPrice, type MicroDollars } from '../domain/money/price.ts'
import { networkKey } from '../domain/network.ts'
import { formatTimestamp, type TimestampUs } from '../domain/time/timestamp.ts'
import type { RouteView } from '../views/host/host-view.ts'
import { priceText } from './values.ts'

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

/** In words, where the observed price is not the listed one. Older entries of a verified route say nothing against it. */
export function priceDifference(route: RouteView): string | null {
  const observed = observedPrice(route)
  if (observed === null || observed.price === route.price || route.probeStatus === 'verified') return null
  const listed = route.price === null ? 'no price is listed' : `the listed price is ${formatPrice(route.price)}`
  return `Machine-observed price ${formatPrice(observed.price)} in the newest challenge (${formatTimestamp(observed.atUs)}); ${listed}.`
}

/** In words, where current rows disagree about the price. */
export const sourcesSay = ({ spread }: Pick<RouteView, 'spread'>): string | null =>
  spread && `sources say ${formatPrice(spread.low)} to ${formatPrice(spread.high)}`

/**
 * In words, where the newest challenge asks for what a row says that does not give the route its price. `quote` makes a
 * stranger's words harmless in the text around them.
 */
export function otherMatch(
  { matching }: Pick<RouteView, 'matching'>,
  quote: (text: string) => string = (text) => text,
): string | null {
  if (matching === null) return null
  const { source, price, network } = matching
  return `The newest challenge asks for what ${quote(source)} says: ${priceText(price)} on ${quote(orNoData(network))}.`
}

/** In words, of a row that its source does not name any more. */
export const goneWords = ({ goneUs }: Pick<Listing, 'goneUs'>): string | null =>
  typeof goneUs === 'number' ? `no longer named since the complete sweep of ${formatTimestamp(goneUs)}` : null
