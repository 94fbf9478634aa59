import type { Outcome, Payment } from '../rail.ts'
import { heldIn } from './credential.ts'
import { unknown } from './evm-chain.ts'
import type { Facilitator, SettleAnswer } from './facilitator.ts'
import { isTransaction, type Ledger, transactionId } from './ledger.ts'
import { isSame, networkOfName } from './offer.ts'
import { isCertain, refusalOf } from './refusals.ts'

/** In place of a log index where no node of ours has seen the transfer. */
const UNSEEN = -1

/**
 * What the chain says, with a node that does not answer or is not there as `unknown`. A transaction that somebody has
 * named for the payment is looked into first; it counts when it holds the payment's own transfer.
 */
export async function lookFor(payment: Payment, ledger: Ledger | undefined, named?: string): Promise<Outcome> {
  if (ledger === undefined) return unknown('No node is configured for the network.')
  try {
    const found = named === undefined ? undefined : await ledger.find(payment, named)
    return found?.kind === 'paid' ? found : await ledger.look(payment)
  } catch {
    // The error may hold the node's address with its key.
    return unknown('The node does not answer.')
  }
}

/**
 * Moves the money. A facilitator's success counts when it fits the payment and, with a node of ours, when the chain holds
 * the transfer; its refusal counts when it is certain and the chain holds none. Everything between is unknown.
 */
export async function settlePayment(
  payment: Payment,
  facilitator: Facilitator,
  ledger: Ledger | undefined,
): Promise<Outcome> {
  const held = heldIn(payment.raw)
  if (held === undefined) return lookFor(payment, ledger)
  const answer = await facilitator.settle(held)
  const isClaim = answer.answered && answer.success && fits(answer, payment)
  const named = isClaim ? transactionId(payment.network, answer.transaction) : undefined
  if (ledger === undefined && named !== undefined && isClaim && answer.payer !== undefined) {
    return { kind: 'paid', transaction: named, logIndex: UNSEEN }
  }
  const seen = await lookFor(payment, ledger, named)
  if (seen.kind !== 'unknown') return seen
  if (answer.answered && !answer.success && answer.transaction === '' && isCertain(answer.errorReason ?? '')) {
    return { kind: 'refused', ...refusalOf(answer.errorReason) }
  }
  return answer.answered ? seen : unknown('The facilitator did not answer.')
}

function fits(answer: SettleAnswer, payment: Payment): boolean {
  return (
    (answer.payer === undefined || isSame(answer.payer, payment.payer)) &&
    networkOfName(answer.network) === payment.network &&
    isTransaction(payment.network, answer.transaction) &&
    (answer.amount === undefined ||
      (/^\d{1,78}$/.test(answer.amount) && BigInt(answer.amount) >= BigInt(payment.amount)))
  )
}
