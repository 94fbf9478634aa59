import { formatTimestamp } from '../../domain/timestamp.ts'
import type { ReviewView } from '../../views/host-view.ts'
import { countsAsAgentReview } from '../review-words.ts'
import { fullAddress, reviewHref, type Site } from '../site.ts'

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
    submitted_at: formatTimestamp(review.submittedUs),
    href: fullAddress(site, reviewHref(review.id)),
  }
}
