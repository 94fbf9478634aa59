import type { OfferKey, SignedOffer } from '../../domain/offers/signed-offer.ts'
import { formatTimestamp, type TimestampUs } from '../../domain/time/timestamp.ts'
import { writtenOffer } from './read-offers.ts'

interface Observed {
  readonly firstUs: TimestampUs
  readonly lastUs: TimestampUs
}

const observed = ({ firstUs, lastUs }: Observed) => ({
  first_observed: formatTimestamp(firstUs),
  last_observed: formatTimestamp(lastUs),
})

/** What an export says of a signed offer beside its route. */
export const offerRecord = (seen: Observed & { readonly offer: SignedOffer }) => ({
  kind: 'signed_offer' as const,
  offer: writtenOffer(seen.offer),
  ...observed(seen),
})

/** What an export says of a key. */
export const offerKeyRecord = (key: OfferKey & { readonly host: string }) => ({
  kind: 'offer_key' as const,
  host: key.host,
  kid: key.kid,
  jwk: { ...key.jwk },
  ...observed(key),
  gone: key.goneUs === null ? null : formatTimestamp(key.goneUs),
})
