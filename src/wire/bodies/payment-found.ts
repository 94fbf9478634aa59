import type { PaymentFound } from '../../domain/review.ts'
import { formatTimestamp } from '../../domain/time/timestamp.ts'
import type { RecordOf } from '../records.ts'

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
  ...wayOut(found),
})

/** How a payment was made, where it was by more than one transfer, or out of a deposit. */
export const wayOut = ({ parts, channel }: PaymentFound) => ({
  ...(parts && { parts: [...parts] }),
  ...(channel && {
    channel: {
      id: channel.id,
      transaction: channel.transaction,
      refunded: channel.refunded,
      is_open: channel.isOpen,
    },
  }),
})

type Recorded = NonNullable<RecordOf<'review'>['payment_found']>

export const paymentFoundIn = ({ parts, channel, ...found }: Recorded): PaymentFound => ({
  asset: found.asset,
  amount: found.amount,
  payer: found.payer,
  payee: found.payee,
  logIndex: found.log_index,
  atUs: found.at,
  isFinal: found.is_final,
  otherHosts: found.other_hosts,
  hasReceipt: found.has_receipt,
  ...(parts && { parts }),
  ...(channel && {
    channel: {
      id: channel.id,
      transaction: channel.transaction,
      refunded: channel.refunded,
      isOpen: channel.is_open,
    },
  }),
})
