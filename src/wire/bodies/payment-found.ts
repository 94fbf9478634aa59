import type { PaymentFound } from '../../domain/review.ts'
import { formatTimestamp } from '../../domain/time/timestamp.ts'

/** What was found of a review's payment, as every document writes it. */
export const paymentFoundOut = (found: PaymentFound) => ({
  asset: found.asset,
  amount: found.amount,
  payer: found.payer,
  payee: found.payee,
  log_index: found.logIndex,
  at: formatTimestamp(found.atUs),
  is_final: found.isFinal,
  other_hosts: found.otherHosts,
  has_receipt: found.hasReceipt,
})
