import { networkKey } from '../../domain/network.ts'
import type { PaymentFound } from '../../domain/review.ts'
import type { Writer } from '../schema.ts'

/** One transfer of a transaction. */
export interface TransferKey {
  /** CAIP-2 form. */
  readonly network: string
  /** In its one form: hexadecimal ids in lower case. */
  readonly transaction: string
  readonly logIndex: number
}

export interface ReviewKey {
  readonly hostId: number
  readonly id: string
}

/** The transfers of a payment as a review wrote it, the greatest first. What names a channel is paid by another transaction. */
export function transferKeys(
  named: { readonly network: string; readonly transaction: string },
  { logIndex, parts = [], channel }: Pick<PaymentFound, 'logIndex' | 'parts' | 'channel'>,
): [TransferKey, ...TransferKey[]] {
  const written = channel?.transaction ?? named.transaction
  const network = networkKey(named.network)
  const transaction = /^0x[0-9a-f]+$/i.test(written) ? written.toLowerCase() : written
  const keyAt = (place: number): TransferKey => ({ network, transaction, logIndex: place })
  return [keyAt(logIndex), ...parts.map(keyAt)]
}

/** As `claimTransfer`, of all or of none. */
export async function claimTransfers(
  writer: Writer,
  keys: readonly TransferKey[],
  review: ReviewKey,
): Promise<boolean> {
  for (const key of keys) {
    if (await claimTransfer(writer, key, review)) continue
    await releaseTransfers(writer, review)
    return false
  }
  return true
}

/** Lets the transfer support this review and no other, for ever or until it is released; `false`: it supports another. */
async function claimTransfer(writer: Writer, transfer: TransferKey, review: ReviewKey): Promise<boolean> {
  const key = { network: transfer.network, transaction_id: transfer.transaction, log_index: transfer.logIndex }
  const inserted = await writer
    .insertInto('payment_claims')
    .values({ ...key, host_id: review.hostId, review_id: review.id })
    .onConflict((conflict) => conflict.columns(['network', 'transaction_id', 'log_index']).doNothing())
    .returning('review_id')
    .execute()
  if (inserted.length > 0) return true
  const held = await holderOf(writer, transfer)
  return held?.hostId === review.hostId && held.id === review.id
}

/** The review that a transfer supports. */
export async function holderOf(writer: Writer, transfer: TransferKey): Promise<ReviewKey | undefined> {
  const held = await writer
    .selectFrom('payment_claims')
    .select(['host_id', 'review_id'])
    .where('network', '=', transfer.network)
    .where('transaction_id', '=', transfer.transaction)
    .where('log_index', '=', transfer.logIndex)
    .executeTakeFirst()
  return held && { hostId: held.host_id, id: held.review_id }
}

/** The transfer supports this review from now on, and the one that it supported no more. */
export async function passTransfer(writer: Writer, transfer: TransferKey, review: ReviewKey): Promise<void> {
  await writer
    .updateTable('payment_claims')
    .set({ host_id: review.hostId, review_id: review.id })
    .where('network', '=', transfer.network)
    .where('transaction_id', '=', transfer.transaction)
    .where('log_index', '=', transfer.logIndex)
    .execute()
}

/** Whether a transfer supports the review already. */
export async function holdsTransfer(writer: Writer, { hostId, id }: ReviewKey): Promise<boolean> {
  const claims = writer.selectFrom('payment_claims').select('log_index')
  return (await claims.where('host_id', '=', hostId).where('review_id', '=', id).executeTakeFirst()) !== undefined
}

/** The transfer that supported the review is no more: it may support another should it come back. */
export async function releaseTransfers(writer: Writer, { hostId, id }: ReviewKey): Promise<void> {
  await writer.deleteFrom('payment_claims').where('host_id', '=', hostId).where('review_id', '=', id).execute()
}
