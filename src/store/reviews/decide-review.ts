import { isDeepStrictEqual } from 'node:util'
import { isPending, mayChange, type PaymentFound, pendingReason } from '../../domain/review.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { HostTransaction } from '../hosts/host-transaction.ts'
import type { Store } from '../store.ts'
import { type Candidates, claimOne, keepFinding, refusalOf } from './claim-payment.ts'
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
    if (!review) return endCheck(writer, check, nowUs)
    const isNew = isNews(review, finding)
    const isOpen = isNew ? await decide(new ReviewMoves(transaction), review, finding) : isUndecided(review)
    if (isOpen) await scheduleCheck(writer, check, nextCheckUs(nowUs, check.attempts + 1))
    else await endCheck(writer, check, nowUs)
    // A look that changed nothing leaves the host's pages as they are.
    if (isNew) await transaction.save()
  })

/** Of a review that a look has changed nothing of. */
const isUndecided = ({ paymentFound }: StoredReview): boolean => paymentFound === null || mayChange(paymentFound)

/** A payment that was seen once is not doubted because no node answers now, only because one answers that it is not there. */
function isNews(review: StoredReview, finding: CheckFinding): boolean {
  const isVerified = review.level === 'Verified buyer'
  switch (finding.kind) {
    case 'none':
      return true
    case 'found':
      return !isVerified || !finding.transfers.some((transfer) => isDeepStrictEqual(transfer, review.paymentFound))
    case 'unknown':
      return isVerified ? finding.isMissing === true : review.levelReason !== pendingReason(finding.reason)
  }
}

/** Answers whether there is still something to look at. */
async function decide(moves: ReviewMoves, review: StoredReview, finding: CheckFinding): Promise<boolean> {
  const isVerified = review.level === 'Verified buyer'
  switch (finding.kind) {
    case 'found': {
      const claim = await claimOne(moves, review, { ...finding, transfers: ownFirst(review, finding) })
      if (!claim.ok) return lower(moves, review, refusalOf(claim.reason, finding))
      const { transfer } = claim
      await keepFinding(moves, review, null, transfer)
      await moves.move(review, { level: 'Verified buyer' }, 'a matching payment was found')
      const wasFinal = review.paymentFound?.isFinal ?? false
      if (transfer.isFinal && isVerified && !wasFinal) moves.announce(review, 'review_payment_final', {})
      return mayChange(transfer)
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
function ownFirst({ paymentFound }: StoredReview, { transfers }: Candidates): PaymentFound[] {
  const isOwn = ({ logIndex, channel }: PaymentFound): boolean =>
    logIndex === paymentFound?.logIndex && channel?.transaction === paymentFound.channel?.transaction
  return transfers.toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)))
}

async function lower(moves: ReviewMoves, review: StoredReview, reason: string): Promise<boolean> {
  await releaseTransfers(moves.transaction.writer, review)
  await keepFinding(moves, review, reason, null)
  await moves.move(review, { level: 'Signed' }, reason)
  return isPending(reason)
}
