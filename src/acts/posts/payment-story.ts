import type { Outcome } from '../../payment/rail.ts'
import { type PaymentAct, tellStep } from '../../store/posts/payment-story.ts'
import type { StoredPayment } from '../../store/posts/payments.ts'
import type { Ledger } from './ledger.ts'

/** What an act on a payment came to, in words. */
export function outcomeWords(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'paid':
      return outcome.logIndex < 0
        ? `taken on the facilitator's word: transaction ${outcome.transaction}`
        : `the chain has the transfer: transaction ${outcome.transaction}`
    case 'refused':
      return `refused: ${outcome.reason}`
    default:
      return outcome.reason
  }
}

/** Writes a step down for the operator. The payment stands whether or not that succeeds. */
export async function tellAct(
  { store, nowUs, log }: Ledger,
  { key, postId }: StoredPayment,
  act: PaymentAct,
  answered: readonly string[],
): Promise<void> {
  try {
    await tellStep(store, key, act, answered, nowUs())
  } catch (error) {
    log.warn({ err: error, post: postId }, 'a step of a payment could not be written down')
  }
}
