import type { SellerHost } from '../domain/host.ts'
import type { TimestampUs } from '../domain/time/timestamp.ts'
import { withoutHidden } from '../domain/words/hidden.ts'
import { readReview, readReviewEvents, reviewText } from '../store/reviews/read-review.ts'
import type { Store } from '../store/store.ts'
import { reviewDigestMessage, textDigest } from '../wire/signed-lines.ts'
import type { ReviewView } from './host/host-view.ts'
import { sellerOf } from './seller/open-seller.ts'

/** Something that happened to a review. */
export interface ReviewEventView {
  readonly kind: string
  readonly atUs: TimestampUs
  readonly data: Readonly<Record<string, unknown>>
}

/** A review on its own page. */
export interface WholeReview extends ReviewView {
  readonly host: SellerHost
  readonly receipt: Readonly<Record<string, unknown>> | null
}

/** One review with everything that is needed to verify it without asking anybody. */
export interface ReviewPage {
  readonly host: SellerHost
  readonly review: Omit<WholeReview, 'host'>
  /** Oldest first. */
  readonly events: readonly ReviewEventView[]
  /** Of the text as it was sent, also when it is hidden, lower-case hex. */
  readonly textSha256: string
  /** The seven lines that the wallet signed; null when nobody did. */
  readonly message: string | null
}

export function reviewPageOf(review: WholeReview, events: readonly ReviewEventView[]): ReviewPage {
  const { host, signedAt, signature } = review
  const textSha256 = textDigest(review.text)
  const isSigned = signedAt !== null && signature !== null
  const message = isSigned ? reviewDigestMessage({ ...review, signedAt }, textSha256) : null
  return { host, review: withoutHidden(review), events, textSha256, message }
}

/** The review with this id, whatever its host. */
export async function readReviewPage(store: Store, id: string): Promise<ReviewPage | undefined> {
  const review = await readReview(store.read, id)
  if (review === undefined) return undefined
  const [events, seller] = await Promise.all([
    readReviewEvents(store.read, store.dialect, [review]),
    sellerOf(store, review.hostId),
  ])
  return reviewPageOf(seller.review(review), events.get(reviewText(review)) ?? [])
}
