import { inTime } from '../../async/in-time.ts'
import { pendingReason } from '../../domain/review.ts'
import type { Proof, Proofs, Transfer } from '../../payment/proof/proof.ts'
import type { RouteId } from '../../store/hosts/route-ref.ts'
import { otherHostsOf, readRouteEvidence } from '../../store/pages/route-evidence.ts'
import type { CheckFinding } from '../../store/reviews/decide-review.ts'
import type { ReviewInput } from '../../store/reviews/review-input.ts'
import type { Store } from '../../store/store.ts'

/** What of a review decides about its payment. */
export type PaidReview = Pick<ReviewInput, 'wallet' | 'payment' | 'receipt' | 'url' | 'submittedUs'>

/** How long a look may take. Never rejects, and never waits longer. */
export interface PaymentChecks {
  readonly store: Store
  readonly proofs: Proofs
  readonly deadlineMs: number
}

const LATE: Proof = { kind: 'unknown', reason: 'the node takes long to answer' }

/** Looks at the payment that a review names, with what the directory knows now about the route. */
export async function checkPayment(
  { store, proofs, deadlineMs }: PaymentChecks,
  at: RouteId,
  review: PaidReview,
): Promise<CheckFinding> {
  const { wallet, payment, submittedUs } = review
  if (wallet === null || payment === null) return { kind: 'none', reason: 'the review names no payment' }
  const evidence = await readRouteEvidence(store.read, at)
  const proof = await inTime(proofs.find({ ...payment, ...evidence, wallet, submittedUs }), deadlineMs, LATE)
  if (proof.kind !== 'found') return proof
  const { network, transaction } = proof
  const hasReceipt = async ({ atUs }: Transfer): Promise<boolean> => {
    if (!review.receipt) return false
    const { verifyReceipt } = await import('../../payment/proof/receipt.ts')
    const named = { url: review.url, payer: wallet, transaction, network, paidUs: atUs }
    return (await verifyReceipt(review.receipt, { payees: evidence.payees, ...named })).ok
  }
  // What the chain alone cannot say.
  const transfers = proof.transfers.map(async (transfer) => ({
    ...transfer,
    otherHosts: await otherHostsOf(store.read, at.hostId, transfer.payee),
    hasReceipt: await hasReceipt(transfer),
  }))
  return { kind: 'found', network, transaction, transfers: await Promise.all(transfers) }
}

/** What a first look means for the level of a review that is not stored yet. A found payment is claimed while it is. */
export function firstLevel(finding: CheckFinding | null): Pick<ReviewInput, 'level' | 'levelReason'> {
  if (finding === null || finding.kind === 'found') return { level: 'Signed', levelReason: null }
  const { kind, reason } = finding
  return { level: 'Signed', levelReason: kind === 'unknown' ? pendingReason(reason) : reason }
}
