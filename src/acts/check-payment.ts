import { type PaymentFound, pendingReason } from '../domain/review.ts'
import type { Proof, Proofs, Transfer } from '../payment/proof.ts'
import { verifyReceipt } from '../payment/receipt.ts'
import type { CheckFinding } from '../store/decide-review.ts'
import type { ReviewInput } from '../store/evidence.ts'
import type { RouteId } from '../store/hosts.ts'
import { otherHostsOf, type RouteEvidence, readRouteEvidence } from '../store/route-evidence.ts'
import type { Store } from '../store/store.ts'

/** What of a review decides about its payment. */
export type PaidReview = Pick<ReviewInput, 'wallet' | 'payment' | 'receipt' | 'url' | 'submittedUs'>

/** How long a look may take. Never rejects, and never waits longer. */
export interface PaymentChecks {
  readonly store: Store
  readonly proofs: Proofs
  readonly deadlineMs: number
}

/** Looks at the payment that a review names, with what the directory knows now about the route. */
export async function checkPayment(
  { store, proofs, deadlineMs }: PaymentChecks,
  at: RouteId,
  review: PaidReview,
): Promise<CheckFinding> {
  const { wallet, payment, submittedUs } = review
  if (wallet === null || payment === null) return { kind: 'none', reason: 'the review names no payment' }
  const evidence = await readRouteEvidence(store.read, at)
  const proof = await withDeadline(proofs.find({ ...payment, ...evidence, wallet, submittedUs }), deadlineMs)
  if (proof.kind !== 'found') return proof
  const transfers = await Promise.all(
    proof.transfers.map((transfer) => completed(store, at, review, evidence, proof.transaction, transfer)),
  )
  return { kind: 'found', network: proof.network, transaction: proof.transaction, transfers }
}

/** Adds what the chain alone cannot say. */
async function completed(
  store: Store,
  { hostId }: RouteId,
  { receipt, url, wallet }: PaidReview,
  { payees }: RouteEvidence,
  transaction: string,
  transfer: Transfer,
): Promise<PaymentFound> {
  const otherHosts = await otherHostsOf(store.read, hostId, transfer.payee)
  const payer = wallet ?? transfer.payer
  const found = receipt && (await verifyReceipt(receipt, { payees, url, payer, transaction }))
  return { ...transfer, otherHosts, hasReceipt: found?.ok ?? false }
}

async function withDeadline(proof: Promise<Proof>, deadlineMs: number): Promise<Proof> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Proof>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'unknown', reason: 'the node takes long to answer' }), deadlineMs)
  })
  try {
    return await Promise.race([proof, late])
  } finally {
    clearTimeout(timer)
  }
}

/** What a first look means for the level of a review that is not stored yet. A found payment is claimed while it is. */
export function firstLevel(finding: CheckFinding | null): Pick<ReviewInput, 'level' | 'levelReason'> {
  if (finding === null || finding.kind === 'found') return { level: 'Signed', levelReason: null }
  const { kind, reason } = finding
  return { level: 'Signed', levelReason: kind === 'unknown' ? pendingReason(reason) : reason }
}
