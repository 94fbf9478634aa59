import type { SellerHost } from '../../../domain/host.ts'
import type { OfferKey, PublicJwk, SignedOffer } from '../../../domain/offers/signed-offer.ts'
import type { TimestampUs } from '../../../domain/time/timestamp.ts'
import type { RouteRef } from '../../hosts/route-ref.ts'

/** A signed offer that a live challenge of a route carried. */
export interface OfferInput extends RouteRef {
  readonly offer: SignedOffer
  readonly firstUs: TimestampUs
  readonly lastUs: TimestampUs
}

/** One whole reading of a seller's DID document: a key that it does not hold is not the seller's any more. */
export interface DidReading {
  readonly host: SellerHost
  readonly did: string
  readonly keys: readonly { readonly kid: string; readonly jwk: PublicJwk }[]
  readonly atUs: TimestampUs
}

/** A key with its times, as another store kept it. */
export interface OfferKeyInput extends OfferKey {
  readonly host: SellerHost
}
