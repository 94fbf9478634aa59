import { messageKeyOf, postIdOf } from '../../domain/money/payment.ts'
import { settlementOf } from '../../domain/money/settlement.ts'
import { formatTimestamp } from '../../domain/time/timestamp.ts'
import type { RecordOf, WrittenRecord } from '../../wire/records.ts'
import { postMessage } from '../../wire/signed-lines.ts'
import { findHostId } from '../host-id.ts'
import { isChargedElsewhere, storedPaymentOf } from '../posts/payments.ts'
import type { PaymentTable, Writer } from '../schema.ts'

/** A payment as it travels: without its credential, and without whose turn it is to look at it. */
export function paymentRecordOf(row: PaymentTable & { readonly host_name: string }): WrittenRecord {
  const payment = storedPaymentOf(row)
  const { resource, text, wallet, signature, signedAt } = payment.intent
  return {
    kind: 'payment',
    key: payment.key,
    host: payment.host,
    rail: payment.rail,
    state: payment.state,
    network: payment.network,
    asset: payment.asset,
    payer: payment.payer,
    payee: payment.payee,
    amount: payment.amount,
    identifier: payment.identifier,
    idempotency_key: payment.idempotencyKey,
    request_hash: payment.requestHash,
    intent: { resource, text, wallet, signature, signed_at: signedAt },
    transaction: payment.transaction,
    log_index: payment.logIndex,
    reason: payment.reason,
    from_block: payment.fromBlock,
    expires_at: formatTimestamp(payment.expiresUs),
    created_at: formatTimestamp(payment.createdUs),
    updated_at: formatTimestamp(payment.updatedUs),
  }
}

/**
 * Stores payments that are not there yet; their hosts were claimed before. What had not ended is looked at right away,
 * and only looked at: without a credential nothing can be settled.
 */
export async function savePaymentRecords(writer: Writer, records: readonly RecordOf<'payment'>[]): Promise<void> {
  for (const record of records) {
    const hostId = await findHostId(writer, record.host)
    if (hostId === undefined) throw new Error('the host of a payment was not claimed')
    const row = rowOf(record, hostId)
    const isSecond = row.message_key !== null && (await isChargedElsewhere(writer, row.payment_key, row.message_key))
    await writer
      .insertInto('payments')
      .values(isSecond ? { ...row, message_key: null } : row)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

function rowOf(record: RecordOf<'payment'>, hostId: number): PaymentTable {
  const { resource, text, wallet, signature, signed_at: signedAt } = record.intent
  const hasEnded = record.state === 'settled' || record.state === 'expired'
  const isUnseen = record.state === 'settled' && settlementOf(record.rail, record.log_index) !== 'verified on chain'
  return {
    payment_key: record.key,
    host_id: hostId,
    rail: record.rail,
    state: record.state,
    network: record.network,
    asset: record.asset,
    payer: record.payer,
    payee: record.payee,
    amount: record.amount,
    request_hash: record.request_hash,
    intent: JSON.stringify({ resource, text, wallet, signature, signedAt }),
    transaction_id: record.transaction,
    created_us: record.created_at,
    updated_us: record.updated_at,
    identifier: record.identifier,
    post_id: postIdOf(record.key),
    expires_us: record.expires_at,
    from_block: record.from_block,
    raw: null,
    reason: record.reason,
    log_index: record.log_index,
    due_us: hasEnded && !isUnseen ? null : record.updated_at,
    attempts: 0,
    message_key: messageKeyOf(wallet, postMessage({ host: record.host, text, signedAt })),
    idempotency_key: record.idempotency_key,
  }
}
