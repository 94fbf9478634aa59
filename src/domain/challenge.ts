import type { MicroDollars } from './money/price.ts'
import { networkKey } from './network.ts'
import type { Rail } from './route.ts'

/** One way to pay that a live 402 answer offered, as far as it could be read. */
export interface Offer {
  readonly rail: Rail
  /** As the seller wrote it. */
  readonly network: string | null
  /** `null` where the asset's decimals or dollar value are not known. */
  readonly price: MicroDollars | null
  readonly asset: string | null
  readonly payee: string | null
}

/** What a live 402 answer said: machine-observed evidence beside the entry, never changing its class. */
export interface Challenge {
  readonly offers: readonly Offer[]
  /** What does not conform, in a closed vocabulary of short codes. */
  readonly warnings: readonly string[]
}

/** Among the warnings: the x402 documents of one answer ask for different prices on one network. */
export const VERSIONS_DIFFER = 'versions_differ'

/** What is listed of a route, to find what it asks for among several offers. */
export interface Listed {
  readonly rail: Rail
  readonly network: string | null
  readonly price: MicroDollars | null
}

/** What was asked for, once its price is known. */
export interface Asked {
  readonly price: MicroDollars
  readonly network: string | null
}

/** Where a challenge asks to be paid, and where it is listed: two rails, or two networks of one. */
export interface Elsewhere {
  readonly asked: string
  readonly listed: string
}

/**
 * What a challenge asks for on a route's rail: on the listed network where a price is offered there, the listed price where
 * it is among the offers, else the lowest. Where it asks some clients for another price than others, the highest that is not
 * listed. `null` while no price was read.
 */
export function askedFor({ offers, warnings }: Challenge, listed: Listed): Asked | null {
  const priced = offers.filter(({ rail, price }) => rail === listed.rail && price !== null)
  const listedOn = listed.network === null ? null : networkKey(listed.network)
  const there = priced.filter(({ network }) => network !== null && networkKey(network) === listedOn)
  const isThere = there.length > 0
  let same: Asked | null = null
  let lowest: Asked | null = null
  let highestOther: Asked | null = null
  for (const { price, network } of isThere ? there : priced) {
    if (price === null) continue
    const asked = { price, network: isThere ? listed.network : network }
    if (lowest === null || price < lowest.price) lowest = asked
    if (price === listed.price) same ??= asked
    else if (highestOther === null || price >= highestOther.price) highestOther = asked
  }
  if (isThere && highestOther !== null && warnings.includes(VERSIONS_DIFFER)) return highestOther
  return same ?? lowest
}

/** Where a challenge asks instead: nothing on the route's rail, or nothing with a price on its listed network. */
export function elsewhere(challenge: Challenge, listed: Listed): Elsewhere | null {
  const offers = challenge.offers.filter((offer) => offer.rail === listed.rail)
  const [other] = challenge.offers
  if (offers.length === 0) return other === undefined ? null : { asked: other.rail, listed: listed.rail }
  if (listed.network === null) return null
  const listedOn = networkKey(listed.network)
  const askedOn = askedFor(challenge, listed)?.network ?? null
  const networks = askedOn === null ? offers.map(({ network }) => network) : [askedOn]
  const instead = networks.find((network) => network !== null && networkKey(network) !== listedOn)
  return instead == null ? null : { asked: instead, listed: listed.network }
}
