import { type PaymentFound, pendingReason } from '../../domain/review.ts'
import { walletKey } from '../../domain/wallet.ts'
import { claimTransfers, holderOf, passTransfer, type ReviewKey, transferKeys } from './payment-claims.ts'
import { readReview, type StoredReview } from './read-review.ts'
import { endCheck } from './review-checks.ts'
import type { ReviewMoves } from './review-standing.ts'
import { isNewer, type Signing } from './supersede.ts'

/** A payment that was found, as the transfers in it that could each support the review. */
export interface Candidates {
  /** CAIP-2 form. */
  readonly network: string
  /** In its one form. */
  readonly transaction: string
  readonly transfers: readonly PaymentFound[]
}

/** A review that wants a transfer for itself. It may not be stored yet. */
export type Claimant = Pick<StoredReview, 'hostId' | 'routeId' | 'id' | 'wallet' | 'signedAt' | 'submittedUs'>

export type Claim =
  | { readonly ok: true; readonly transfer: PaymentFound }
  | { readonly ok: false; readonly reason: string }

const ALREADY_CLAIMED = 'this payment already supports another review'
/** Why a review has not, or has no longer, the payment that it names. */
export const PASSED_ON = 'its payment supports a newer review of the same wallet'

/**
 * A transfer for the review: the one of the wallet's older review of the same route, which a newer one corrects, or else
 * the first that supports no other review. Its host is held.
 */
export async function claimOne(moves: ReviewMoves, review: Claimant, candidates: Candidates): Promise<Claim> {
  const { network, transaction, transfers } = candidates
  const { writer } = moves.transaction
  const keysOf = (transfer: PaymentFound) => transferKeys({ network, transaction }, transfer)
  let reason = ALREADY_CLAIMED
  for (const transfer of transfers) {
    const keys = keysOf(transfer)
    const holder = await holderOf(writer, keys[0])
    const other = holder && !isSame(holder, review) ? await readReview(writer, holder.id, holder.hostId) : undefined
    if (other === undefined || !isOfSameBuyer(other, review)) continue
    if (!isNewer(signingOf(review), signingOf(other))) {
      reason = PASSED_ON
      continue
    }
    for (const key of keys) await passTransfer(writer, key, review)
    await loseTransfer(moves, other)
    return { ok: true, transfer }
  }
  for (const transfer of transfers) {
    if (await claimTransfers(writer, keysOf(transfer), review)) return { ok: true, transfer }
  }
  return { ok: false, reason }
}

/** Why a review has none of the transfers. A channel that has paid for others may pay again. */
export const refusalOf = (reason: string, { transfers }: Candidates): string =>
  transfers.some(({ channel }) => channel?.isOpen) ? pendingReason(reason) : reason

const isSame = (a: ReviewKey, b: ReviewKey): boolean => a.hostId === b.hostId && a.id === b.id

const isOfSameBuyer = (a: Claimant, b: Claimant): boolean =>
  a.hostId === b.hostId &&
  a.routeId === b.routeId &&
  a.wallet !== null &&
  b.wallet !== null &&
  walletKey(a.wallet) === walletKey(b.wallet)

export const signingOf = ({
  id,
  signedAt,
  submittedUs,
}: Pick<Claimant, 'id' | 'signedAt' | 'submittedUs'>): Signing => ({
  review_id: id,
  signed_at: signedAt,
  submitted_us: submittedUs,
})

async function loseTransfer(moves: ReviewMoves, review: StoredReview): Promise<void> {
  await keepFinding(moves, review, PASSED_ON, null)
  await endCheck(moves.transaction.writer, review)
  await moves.move(review, { level: 'Signed' }, PASSED_ON)
}

/** Writes down what is known of a review's payment. */
export async function keepFinding(
  { transaction }: ReviewMoves,
  { hostId, id }: ReviewKey,
  reason: string | null,
  found: PaymentFound | null,
): Promise<void> {
  await transaction.writer
    .updateTable('reviews')
    .set({ level_reason: reason, payment_found: found && JSON.stringify(found) })
    .where('host_id', '=', hostId)
    .where('review_id', '=', id)
    .execute()
}
