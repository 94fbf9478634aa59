import { formatPrice } from '../money/price.ts'
import { networkKey } from '../network.ts'
import { endWords, type SeenOffer, signedPrice } from '../offers/seen-offer.ts'
import { untilUs } from '../offers/signed-offer.ts'
import { DAY_US } from '../time/day.ts'
import type { TimestampUs } from '../time/timestamp.ts'
import { walletKey } from '../wallet.ts'
import { type Fact, warning } from './finding.ts'
import type { BuyerPolicy, KnownRoute, LiveOffer } from './known.ts'
import { isBeyond } from './price-facts.ts'

/** An offer without an end holds as long as it is seen: a day later nobody knows. */
function isInForce({ offer, check, lastUs }: SeenOffer, nowUs: TimestampUs): boolean {
  return check.by !== null && nowUs <= (untilUs(offer.terms) ?? lastUs + DAY_US)
}

/** How an offer compares with what the seller has signed and is bound by now. */
export function signedFacts(route: KnownRoute, offer: LiveOffer, { tolerance }: BuyerPolicy): Fact[] {
  const { price, network, payee } = offer
  const signed = route.signedOffers.filter(
    (one) =>
      isInForce(one, route.nowUs) && network !== null && networkKey(network) === networkKey(one.offer.terms.network),
  )
  if (signed.length === 0) return []
  const said: string[] = []
  const dearest = signed.reduce<SeenOffer | null>((most, one) => (worth(one) > worth(most) ? one : most), null)
  if (price !== null && dearest !== null && isBeyond(price, worth(dearest), tolerance)) {
    said.push(
      `The price of ${formatPrice(price)} is above the ${formatPrice(worth(dearest))} that the seller signed ${endWords(dearest.offer.terms)}.`,
    )
  }
  const [first] = signed
  if (first && payee !== null && signed.every((one) => walletKey(one.offer.terms.payTo) !== walletKey(payee))) {
    said.push(`Payment is asked for to another payee than the seller signed ${endWords(first.offer.terms)}.`)
  }
  return said.length === 0 ? [] : [warning('signed_offer_differs', 'route', said.join(' '))]
}

/** In millionths of a dollar; of what has no known price nothing is above it. */
const worth = (seen: SeenOffer | null): number =>
  seen === null ? -1 : (signedPrice(seen.offer.terms) ?? Number.POSITIVE_INFINITY)
