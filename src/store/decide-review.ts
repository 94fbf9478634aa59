import { pendingReason } from '../domain/review.ts'
import type { TimestampUs } from '../domain/timestamp.ts'
import { ALREADY_CLAIMED, type Candidates, claimOne } from './add-review.ts'
import { Deltas } from './deltas.ts'
import { releaseTransfers } from './payment-claims.ts'
import { readReview, type StoredReview } from './read-review.ts'
import { type DueCheck, endCheck, nextCheckUs, scheduleCheck } from './review-checks.ts'
import { ReviewMoves } from './review-standing.ts'
import type { Store } from './store.ts'

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
    const deltas = new Deltas()
    deltas.touch(check.hostId)
    await deltas.hold(writer, store.dialect)
    const review = await readReview(writer, check.id, check.hostId)
    if (!review) return endCheck(writer, check)
    const moves = new ReviewMoves(writer, store.dialect, deltas, nowUs)
    const isOpen = isNews(review, finding) ? await settle(moves, review, finding) : true
    if (isOpen) await scheduleCheck(writer, check, nextCheckUs(nowUs, check.attempts + 1))
    else await endCheck(writer, check)
    await moves.save()
    // A look that changed nothing leaves the host's pages as they are.
    if (isNews(review, finding)) await deltas.save(writer, store.dialect)
  })

/** A payment that was seen once is not doubted because no node answers now, only because one answers that it is not there. */
const isNews = (review: StoredReview, finding: CheckFinding): boolean =>
  finding.kind !== 'unknown' ||
  (review.level === 'Verified buyer'
    ? finding.isMissing === true
    : review.levelReason !== pendingReason(finding.reason))

/** Answers whether there is still something to look at. */
async function settle(moves: ReviewMoves, review: StoredReview, finding: CheckFinding): Promise<boolean> {
  const isVerified = review.level === 'Verified buyer'
  switch (finding.kind) {
    case 'found': {
      const transfer = await claimOne(moves.writer, review, { ...finding, transfers: ownFirst(review, finding) })
      if (transfer === undefined) return lower(moves, review, ALREADY_CLAIMED)
      await keep(moves, review, null, JSON.stringify(transfer))
      await moves.move(review, { level: 'Verified buyer' }, 'a matching payment was found')
      if (transfer.isFinal && isVerified) moves.announce(review, 'review_payment_final', {})
      return !transfer.isFinal
    }
    case 'none':
      return lower(moves, review, finding.reason)
    case 'unknown':
      if (isVerified) await lower(moves, review, pendingReason(finding.reason))
      else await keep(moves, review, pendingReason(finding.reason), null)
      return true
  }
}

/** The transfer that supports it already goes on supporting it. */
const ownFirst = ({ paymentFound }: StoredReview, { transfers }: Candidates) =>
  transfers.toSorted(
    (a, b) => Number(b.logIndex === paymentFound?.logIndex) - Number(a.logIndex === paymentFound?.logIndex),
  )

async function lower(moves: ReviewMoves, review: StoredReview, reason: string): Promise<false> {
  await releaseTransfers(moves.writer, review)
  await keep(moves, review, reason, null)
  await moves.move(review, { level: 'Signed' }, reason)
  return false
}

async function keep(
  { writer }: ReviewMoves,
  { hostId, id }: StoredReview,
  reason: string | null,
  found: string | null,
) {
  await writer
    .updateTable('reviews')
    .set({ level_reason: reason, payment_found: found })
    .where('host_id', '=', hostId)
    .where('review_id', '=', id)
    .execute()
}
