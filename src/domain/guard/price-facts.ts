import { decimalsOf } from '../money/asset.ts'
import { dollarDecimals } from '../money/known-networks.ts'
import { formatPrice, type MicroDollars } from '../money/price.ts'
import { currentRows } from '../money/route-price.ts'
import { isNetwork, networkKey } from '../network.ts'
import { formatMinute } from '../time/timestamp.ts'
import { type Fact, grave, warning } from './finding.ts'
import type { BuyerPolicy, KnownRoute, LiveOffer } from './known.ts'

interface Said {
  readonly price: MicroDollars | null
  readonly network: string | null
}

/** Where cards pay there is no network, and a dollar is called so. Of the dollars that browsers load. */
export const isDollar = (network: string | null, asset: string): boolean =>
  network === null ? asset.toLowerCase() === 'usd' : decimalsOf(network, asset) !== undefined

/** Of all that are known. */
const isAnyDollar = (network: string | null, asset: string): boolean =>
  isDollar(network, asset) || (network !== null && dollarDecimals(network, asset) !== undefined)

/** In whole millionths: what is exactly at the edge of the tolerance is within it. */
export const isBeyond = (price: MicroDollars, known: MicroDollars, tolerance: number): boolean =>
  price > Math.round(known * (1 + tolerance))

/** What an offer says by itself, whoever made it. */
export function offerFacts({ price, network, asset }: LiveOffer, { maxPrice }: BuyerPolicy): Fact[] {
  const facts: Fact[] = []
  if (maxPrice !== null && price === null)
    facts.push(
      grave(
        'price_above_limit',
        'route',
        `The price in dollars is not known, and the limit is ${formatPrice(maxPrice)}.`,
      ),
    )
  if (maxPrice !== null && price !== null && price > maxPrice)
    facts.push(
      grave(
        'price_above_limit',
        'route',
        `The price of ${formatPrice(price)} is above the limit of ${formatPrice(maxPrice)}.`,
      ),
    )
  if (asset === null && price === null)
    facts.push(grave('asset_unknown', 'route', 'No asset is named, and the price in dollars is not known.'))
  if (asset !== null && !isAnyDollar(network, asset))
    facts.push(grave('asset_unknown', 'route', 'The asset is not a dollar that this directory knows on that network.'))
  return facts
}

/** How an offer compares with what sources list and with what the newest live challenge asked for. */
export function priceFacts(route: KnownRoute, offer: LiveOffer, { tolerance }: BuyerPolicy): Fact[] {
  const listings = currentRows(route.listings)
  const facts: Fact[] = []
  const { price, network } = offer
  if (network !== null && !isNamed(network, [...listings, ...route.offers]))
    facts.push(warning('network_unlisted', 'listings', `${namesNetwork(network)} that no source lists for this route.`))
  if (price === null) return facts
  const listed = highest(listings, network)
  const observed = highest(route.offers, network)
  const isAbove = (known: MicroDollars | null): known is MicroDollars =>
    known !== null && isBeyond(price, known, tolerance)
  const say = isAbove(listed) && isAbove(observed) ? grave : warning
  if (isAbove(listed))
    facts.push(
      say(
        'price_above_listed',
        'listings',
        `The price of ${formatPrice(price)} is above the listed ${formatPrice(listed)}.`,
      ),
    )
  if (isAbove(observed))
    facts.push(
      say(
        'price_above_observed',
        'probes',
        `The price of ${formatPrice(price)} is above the ${formatPrice(observed)} that the newest live challenge asked for${at(route)}.`,
      ),
    )
  return facts
}

const at = ({ observedUs }: KnownRoute): string => (observedUs === null ? '' : ` (${formatMinute(observedUs)})`)

/** A stranger's word is repeated only where it can be nothing but a name. */
const namesNetwork = (network: string): string =>
  isNetwork(network) ? `Payment is asked on ${network},` : 'Payment is asked on a network'

/** Sources that name no network speak of any. */
const isNamed = (network: string, said: readonly Said[]): boolean =>
  said.length === 0 || said.some((one) => one.network === null || networkKey(one.network) === networkKey(network))

/** The highest price on the network of the offer; where nobody names a price there, on any: a dollar is a dollar. */
function highest(said: readonly Said[], network: string | null): MicroDollars | null {
  const priced = said.flatMap(({ price, network }) => (price === null ? [] : [{ price, network }]))
  const there = priced.filter((one) => network === null || isNamed(network, [one]))
  const prices = (there.length > 0 ? there : priced).map(({ price }) => price)
  return prices.length === 0 ? null : Math.max(...prices)
}
