import { pendingReason } from '../../domain/review.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { HostTransaction } from '../hosts/host-transaction.ts'
import type { Store } from '../store.ts'
import { type Candidates, claimOne, keepFinding } from './claim-payment.ts'
import { releaseTransfers } from './payment-claims.ts'
import { readReview, type StoredReview } from './read-review.ts'
import { type DueCheck, endCheck, nextCheckUs, scheduleCheck } from './review-checks.ts'
import { ReviewMoves } from './review-standing.ts'

/** What a look at a review's payment found. */
export type CheckFinding =
  | ({ readonly kind: 'found' } & Candidates)
  /** Decided: the payment does not support the review, or does not any more. */
  | { readonly kind: 'none'; readonly reason: string }
  /** To be looked at again. `isMissing`: a working node knows no such transaction, so a reorganisation may have taken it. */
  | { readonly kind: 'unknown'; readonly reason: string; readonly isMissing?: boolean }

/** Writes down what a look found: raises, confirms or lowers the review, and says when to look again. One transaction. */
export const decideReview = (store: Store, check: DueCheck, finding: CheckFinding, nowUs: TimestampUs): Promise<void> =>
  store.write(async (writer) => {
    const transaction = new HostTransaction(writer, store.dialect, nowUs)
    await transaction.hold([check.hostId])
    const review = await readReview(writer, check.id, check.hostId)
    if (!review) return endCheck(writer, check)
    const isOpen = isNews(review, finding) ? await decide(new ReviewMoves(transaction), review, finding) : true
    if (isOpen) await scheduleCheck(writer, check, nextCheckUs(nowUs, check.attempts + 1))
    else await endCheck(writer, check)
    // A look that changed nothing leaves the host's pages as they are.
    if (isNews(review, finding)) await transaction.save()
  })

/** A payment that was seen once is not doubted because no node answers now, only because one answers that it is not there. */
const isNews = (review: StoredReview, finding: CheckFinding): boolean =>
  finding.kind !== 'unknown' ||
  (review.level === 'Verified buyer'
    ? finding.isMissing === true
    : review.levelReason !== pendingReason(finding.reason))

/** Answers whether there is still something to look at. */
async function decide(moves: ReviewMoves, review: StoredReview, finding: CheckFinding): Promise<boolean> {
  const isVerified = review.level === 'Verified buyer'
  switch (finding.kind) {
    case 'found': {
      const claim = await claimOne(moves, review, { ...finding, transfers: ownFirst(review, finding) })
      if (!claim.ok) return lower(moves, review, claim.reason)
      const { transfer } = claim
      await keepFinding(moves, review, null, transfer)
      await moves.move(review, { level: 'Verified buyer' }, 'a matching payment was found')
      if (transfer.isFinal && isVerified) moves.announce(review, 'review_payment_final', {})
      return !transfer.isFinal
    }
    case 'none':
      return lower(moves, review, finding.reason)
    case 'unknown':
      if (isVerified) await lower(moves, review, pendingReason(finding.reason))
      else await keepFinding(moves, review, pendingReason(finding.reason), null)
      return true
  }
}

/** The transfer that supports it already goes on supporting it. */
const ownFirst = ({ paymentFound }: StoredReview, { transfers }: Candidates) =>
  transfers.toSorted(
    (a, b) => Number(b.logIndex === paymentFound?.logIndex) - Number(a.logIndex === paymentFound?.logIndex),
  )

async function lower(moves: ReviewMoves, review: StoredReview, reason: string): Promise<false> {
  await releaseTransfers(moves.transaction.writer, review)
  await keepFinding(moves, review, reason, null)
  await moves.move(review, { level: 'Signed' }, reason)
  return false
}
