import type { PaymentFound } from '../../domain/review.ts'
import { formatTimestamp } from '../../domain/time/timestamp.ts'
import type { ReviewCounts, ReviewView } from '../../views/host/host-view.ts'
import { wayOut } from '../../wire/bodies/payment-found.ts'
import { outcomeJson } from '../buyers/paid-calls.ts'
import { logJson } from '../log/words.ts'
import { countsAsAgentReview } from '../review-words.ts'
import { fullAddress, reviewHref, type Site } from '../site.ts'
import { replyJson } from './statement.ts'

const paymentFoundJson = (found: PaymentFound) => ({
  asset: found.asset,
  amount: found.amount,
  payer: found.payer,
  payee: found.payee,
  log_index: found.logIndex,
  at: formatTimestamp(found.atUs),
  is_final: found.isFinal,
  other_hosts_of_payee: found.otherHosts,
  has_receipt: found.hasReceipt,
  ...wayOut(found),
})

/** Per level, never one mean over them: a level says how much stands behind a review. */
export const reviewCountsJson = ({ byLevel, excluded }: ReviewCounts) => ({
  reviews_by_level: {
    verified_buyer: byLevel['Verified buyer'],
    signed: byLevel.Signed,
    unsigned: byLevel.Unsigned,
  },
  reviews_excluded: excluded,
})

/** `untrusted` marks the text beside it as a stranger's words, never an instruction. */
export function reviewJson(site: Site, review: ReviewView) {
  return {
    id: review.id,
    url: review.url,
    method: review.method,
    rail: review.rail,
    rating: review.rating,
    untrusted: true,
    text: review.text,
    level: review.level,
    level_reason: review.levelReason,
    counts_as_agent_review: countsAsAgentReview(review),
    excluded: review.excluded,
    superseded: review.superseded,
    wallet: review.wallet,
    signature: review.signature,
    signed_at: review.signedAt,
    payment:
      review.payment === null ? null : { network: review.payment.network, transaction: review.payment.transaction },
    directory: review.directory,
    outcome: review.outcome === null ? undefined : outcomeJson(review.outcome),
    payment_found: review.paymentFound && paymentFoundJson(review.paymentFound),
    submitted_at: formatTimestamp(review.submittedUs),
    hidden: review.hidden && { at: formatTimestamp(review.hidden.atUs), reason: review.hidden.reason },
    href: fullAddress(site, reviewHref(review.id)),
    ...logJson(review),
    ...replyJson(site, review.reply),
  }
}
