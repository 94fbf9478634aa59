import { dollarDecimals } from '../money/known-networks.ts'
import { formatPrice, type MicroDollars, priceFromBaseUnits } from '../money/price.ts'
import { formatMinute, type TimestampUs } from '../time/timestamp.ts'
import { type OfferCheck, type SignedOffer, type SignedTerms, untilUs } from './signed-offer.ts'

/** A signed offer that live challenges of a route carried, and who stands behind it. */
export interface SeenOffer {
  readonly offer: SignedOffer
  readonly check: OfferCheck
  readonly firstUs: TimestampUs
  readonly lastUs: TimestampUs
  /** Its place in the log; `undefined` until it has one. */
  readonly logIndex?: number | undefined
}

/** Dollars; `null` where the asset is no known one. */
export function signedPrice({ network, asset, amount }: SignedTerms): MicroDollars | null {
  const decimals = dollarDecimals(network, asset)
  return decimals === undefined ? null : (priceFromBaseUnits(BigInt(amount), decimals) ?? null)
}

/** `2026-11-14 12:34`, or that it has no end */
export const endWords = (terms: SignedTerms): string => {
  const endUs = untilUs(terms)
  return endUs === null ? 'without an end' : `until ${formatMinute(endUs)}`
}

/** Who says that the key is the seller's. */
const authorityWords = (check: Exclude<OfferCheck, { by: null }>): string =>
  check.by === 'payee' ? `its payee ${check.wallet}` : check.kid

/** What is asked for, as far as it is known: strangers' words stand in it. */
export function termsWords(terms: SignedTerms): string {
  const price = signedPrice(terms)
  const asked = price === null ? `${terms.amount} base units of ${terms.asset}` : formatPrice(price)
  return `${asked} on ${terms.network} to ${terms.payTo}`
}

/** One line of an offer: whether the seller signed it, or why that is not known. */
export function offerLine({ offer, check }: SeenOffer): string {
  const terms = termsWords(offer.terms)
  return check.by === null
    ? `${terms}: not shown to be signed by the seller, ${check.reason}`
    : `${terms}: signed by the seller ${endWords(offer.terms)}, key authorised by ${authorityWords(check)}`
}

/** What says whether a seller signs something else than before. */
export const offerState = (offers: readonly SeenOffer[]): string | null => {
  const words = offers.map(({ offer, check }) => {
    const who =
      check.by === null ? 'not shown to be signed by the seller' : `key authorised by ${authorityWords(check)}`
    return `${termsWords(offer.terms)}, ${who}`
  })
  return words.length === 0 ? null : [...new Set(words)].sort().join('; ')
}

/** Whether somebody could have taken the seller by its word at that time, as far as this directory saw. */
export function wasOffered({ offer, firstUs, lastUs }: SeenOffer, atUs: TimestampUs): boolean {
  return atUs >= firstUs && atUs <= (untilUs(offer.terms) ?? lastUs)
}
