import { addressOf } from '../../domain/route.ts'
import { formatTimestamp } from '../../domain/time/timestamp.ts'
import { outcomeOut } from '../../wire/bodies/outcome-body.ts'
import { paymentFoundOut } from '../../wire/bodies/payment-found.ts'
import { type LoggedRecord, loggedOf } from '../../wire/log/logged-record.ts'
import type { ReviewInput } from './review-input.ts'

/** What the log says of a review. */
export function reviewRecord(review: ReviewInput): LoggedRecord | null {
  const url = addressOf(review.scheme, review.host, review.path)
  return loggedOf({
    kind: 'review',
    id: review.id,
    method: review.method,
    url,
    rail: review.rail,
    ...(review.url === url ? {} : { concrete_url: review.url }),
    rating: review.rating,
    text: review.text,
    level: review.level,
    level_reason: review.levelReason,
    excluded: review.excluded,
    superseded: review.superseded,
    wallet: review.wallet,
    signature: review.signature,
    signed_at: review.signedAt,
    payment: review.payment && { network: review.payment.network, transaction: review.payment.transaction },
    payment_found: review.paymentFound && paymentFoundOut(review.paymentFound),
    ...(review.outcome === null ? {} : { outcome: outcomeOut(review.outcome) }),
    directory: review.directory,
    receipt: review.receipt,
    submitted_at: formatTimestamp(review.submittedUs),
    ...(review.hidden === null
      ? {}
      : { hidden: { at: formatTimestamp(review.hidden.atUs), reason: review.hidden.reason } }),
  })
}
