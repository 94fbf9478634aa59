import { isSameAddress } from '../../domain/wallet.ts'
import type { Outcome, Payment, Tell } from '../rail.ts'
import { type ChainView, isTransaction, transactionId } from './chain-view.ts'
import { heldIn } from './credential.ts'
import { type Facilitator, noAnswerWords, type SettleAnswer } from './facilitator.ts'
import { lookForPayment } from './look.ts'
import { networkOfName } from './offer.ts'
import { unknown } from './outcome.ts'
import { isCertain, refusalOf } from './refusals.ts'

/** In place of a log index where no node of ours has seen the transfer. */
const UNSEEN = -1

/**
 * Moves the money. A facilitator's success counts when it fits the payment and, with a node of ours, when the chain holds
 * the transfer; its refusal counts when it is certain and the chain holds none. Everything between is unknown.
 */
export async function settlePayment(
  payment: Payment,
  facilitator: Facilitator,
  chain: ChainView | undefined,
  tell?: Tell,
): Promise<Outcome> {
  const held = heldIn(payment.raw)
  if (held === undefined) return lookForPayment(payment, chain)
  const answer = await facilitator.settle(held)
  tell?.(`the facilitator ${answer.answered ? answerWords(answer) : noAnswerWords(answer)}`)
  const isClaim = answer.answered && answer.success && fits(answer, payment)
  const named = isClaim ? transactionId(payment.network, answer.transaction) : undefined
  if (chain === undefined && named !== undefined) {
    return { kind: 'paid', transaction: named, logIndex: UNSEEN }
  }
  const seen = await lookForPayment(payment, chain, named)
  if (seen.kind !== 'unknown') return seen
  if (answer.answered && !answer.success && answer.transaction === '' && isCertain(answer.errorReason ?? '')) {
    return { kind: 'refused', ...refusalOf(answer.errorReason) }
  }
  return answer.answered ? seen : unknown(`The facilitator ${noAnswerWords(answer)}.`)
}

/** Only words of the protocol's form are repeated. */
function answerWords({ success, transaction, errorReason }: SettleAnswer): string {
  const named = transaction === '' ? 'and named no transaction' : `in transaction ${transaction}`
  if (success) return `says that it settled, ${named}`
  return `refused (${refusalOf(errorReason).code})${transaction === '' ? '' : `, ${named}`}`
}

function fits(answer: SettleAnswer, payment: Payment): boolean {
  return (
    (answer.payer === undefined || isSameAddress(answer.payer, payment.payer)) &&
    networkOfName(answer.network) === payment.network &&
    isTransaction(payment.network, answer.transaction) &&
    (answer.amount === undefined ||
      (/^\d{1,78}$/.test(answer.amount) && BigInt(answer.amount) >= BigInt(payment.amount)))
  )
}
