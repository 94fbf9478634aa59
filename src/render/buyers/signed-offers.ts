import { type Contradiction, contradictionLine } from '../../domain/offers/contradictions.ts'
import { offerLine, type SeenOffer, signedPrice } from '../../domain/offers/seen-offer.ts'
import { type OfferCheck, untilUs } from '../../domain/offers/signed-offer.ts'
import { formatTimestamp } from '../../domain/time/timestamp.ts'
import type { HostView, RouteView } from '../../views/host/host-view.ts'
import { writtenOffer } from '../../wire/offers/read-offers.ts'
import { logJson } from '../log/words.ts'
import { priceOrNull, timeOrNull } from '../values.ts'

export const OFFERS_HEADING = 'Offers signed by the seller'

const authorityJson = (check: OfferCheck) => {
  if (check.by === null) return { authorised_by: null, reason: check.reason }
  if (check.by === 'payee') return { authorised_by: check.wallet, reason: null }
  const { kid, jwk, sinceUs } = check
  return { authorised_by: kid, reason: null, key: { kid, jwk: { ...jwk }, named_since: formatTimestamp(sinceUs) } }
}

/** With everything that checks it offline. */
const offerJson = (address: string, seen: SeenOffer) => ({
  address,
  untrusted: true,
  price: priceOrNull(signedPrice(seen.offer.terms)),
  valid_until: timeOrNull(untilUs(seen.offer.terms)),
  first_seen: formatTimestamp(seen.firstUs),
  last_seen: formatTimestamp(seen.lastUs),
  ...authorityJson(seen.check),
  line: offerLine(seen),
  offer: writtenOffer(seen.offer),
  ...logJson(seen),
})

const contradictionJson = (address: string, found: Contradiction) => ({
  kind: found.kind,
  signed: priceOrNull(found.signed),
  price: priceOrNull(found.price),
  at: formatTimestamp(found.atUs),
  evidence: found.evidence,
  line: contradictionLine(found),
  signed_offer: offerJson(address, found.offer),
})

const NONE_SIGNED = { signed_offers: undefined, contradictions: undefined }

/** Left out where no live challenge carried a signed offer. */
export const signedOffersJson = ({ address, signedOffers, contradictions }: RouteView) =>
  signedOffers.length === 0
    ? NONE_SIGNED
    : {
        signed_offers: signedOffers.map((seen) => offerJson(address, seen)),
        contradictions: contradictions.map((found) => contradictionJson(address, found)),
      }

/** On a host view; the pages of its routes have the others. */
const MOST_OF_HOST = 20

export const hostContradictions = ({ contradicted }: Pick<HostView, 'contradicted'>): string[] =>
  contradicted
    .flatMap(({ method, address, contradictions }) =>
      contradictions.map((found) => `${method} ${address}: ${contradictionLine(found)}`),
    )
    .slice(0, MOST_OF_HOST)
