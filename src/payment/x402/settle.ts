import type { Outcome, Payment } from '../rail.ts'
import { heldIn } from './credential.ts'
import { unknown } from './evm-chain.ts'
import type { Facilitator, SettleAnswer } from './facilitator.ts'
import { isTransaction, type Ledger } from './ledger.ts'
import { isSame, networkOfName } from './offer.ts'
import { isCertain, refusalOf } from './refusals.ts'

/** In place of a log index where no node of ours has seen the transfer. */
const UNSEEN = -1

/** What the chain says, with a node that does not answer or is not there as `unknown`. */
export async function lookFor(payment: Payment, ledger: Ledger | undefined): Promise<Outcome> {
  if (ledger === undefined) return unknown('No node is configured for the network.')
  try {
    return await ledger.look(payment)
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
  if (answer.answered && answer.success && fits(answer, payment)) {
    const { transaction } = answer
    if (ledger === undefined && answer.payer !== undefined) return { kind: 'paid', transaction, logIndex: UNSEEN }
    const found = await ledger?.find(payment, transaction).catch(() => undefined)
    if (found?.kind === 'paid') return found
  }
  const seen = await lookFor(payment, ledger)
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
