import type { TimestampUs } from '../time/timestamp.ts'

/** What a seller put its name to. All of it is a stranger's word, in the seller's own writing. */
export interface SignedTerms {
  /** The kit writes `resource.url` of the challenge here, which need not be the address that was called. */
  readonly resourceUrl: string
  readonly scheme: string
  readonly network: string
  readonly asset: string
  readonly payTo: string
  /** In the asset's base units. */
  readonly amount: string
  /** Whole seconds since 1970; 0: it does not end. */
  readonly validUntil: number
}

/** An offer of the x402 offer-receipt extension, as a live challenge carried it. */
export interface SignedOffer {
  readonly format: 'eip712' | 'jws'
  readonly terms: SignedTerms
  /** 65 bytes in hex, or a compact JWS that holds the terms. */
  readonly signature: string
  /** The name of the key of a JWS. */
  readonly kid: string | null
}

/** A public key as a JWK, its members in this order. */
export interface PublicJwk {
  readonly kty: 'EC' | 'OKP'
  readonly crv: 'P-256' | 'secp256k1' | 'Ed25519'
  readonly x: string
  readonly y?: string
}

/** A key that a seller's DID document named, with when it was there. */
export interface OfferKey {
  /** Full name: the DID, `#` and the key's own. */
  readonly kid: string
  readonly jwk: PublicJwk
  readonly firstUs: TimestampUs
  readonly lastUs: TimestampUs
  /** The first reading of the document that did not have it any more; `null` while it has. */
  readonly goneUs: TimestampUs | null
}

/** Whether a key was in force at a time: what was seen before it came or after it went, it says nothing about. */
export const wasInForce = ({ firstUs, goneUs }: Pick<OfferKey, 'firstUs' | 'goneUs'>, atUs: TimestampUs): boolean =>
  firstUs <= atUs && (goneUs === null || atUs < goneUs)

/** Who stands behind an offer's signature, or why nobody is known to. */
export type OfferCheck =
  /** The wallet that is to be paid signed. */
  | { readonly by: 'payee'; readonly wallet: string }
  /** A key of the seller's own host signed, which its DID document has named since then. */
  | { readonly by: 'host'; readonly kid: string; readonly jwk: PublicJwk; readonly sinceUs: TimestampUs }
  | { readonly by: null; readonly reason: string }

/** Whole seconds as a time; `null`: it does not end. */
export const untilUs = ({ validUntil }: Pick<SignedTerms, 'validUntil'>): TimestampUs | null =>
  validUntil === 0 ? null : validUntil * 1_000_000
