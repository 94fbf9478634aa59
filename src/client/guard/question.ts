import type { GuardOffer } from './offer.ts'
import type { Verdict } from './verdict.ts'

/** What somebody is about to pay. */
export interface GuardQuestion {
  /** Left out where it is not known. */
  readonly method?: string | undefined
  /** `undefined`: the paying client did not say. */
  readonly url: string | undefined
  /** Where the seller led the request to. What is known of both addresses counts. */
  readonly answered?: string | undefined
  /** What the challenge says of its address. The seller's word: it may stop a payment whose address is not known, and never allow one. */
  readonly named?: string | undefined
  readonly rail: 'x402' | 'mpp'
  readonly offer: GuardOffer
}

export type Ask = (question: GuardQuestion) => Promise<Verdict>
