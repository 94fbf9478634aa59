import { settlementOf } from '../../domain/money/settlement.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Writer } from '../schema.ts'
import type { Store } from '../store.ts'
import { isChargedElsewhere, type StoredPayment } from './payments.ts'
import { savePost } from './save-post.ts'

/** A transfer on chain. */
export interface PaidBy {
  readonly transaction: string
  /** -1: no node was asked for it. */
  readonly logIndex: number
}

export type Publication =
  /** The post is visible since this call. */
  | 'published'
  /** Somebody else has published it. */
  | 'already'
  /** The transfer has paid for another post, or it cannot be told that it has not. */
  | 'taken'

class NotPublished extends Error {
  constructor(readonly why: 'already' | 'taken') {
    super(`the post was not published: ${why}`)
  }
}

/**
 * In one transaction: the payment settled, its credential forgotten, its post visible and announced. Whether a transfer
 * that was seen on chain stays there is looked at from `watchUs` on.
 */
export async function publishPost(
  store: Store,
  payment: StoredPayment,
  paidBy: PaidBy,
  nowUs: TimestampUs,
  watchUs: TimestampUs | null = null,
): Promise<Publication> {
  const { host, rail, network, payer, postId: id, intent } = payment
  const { text, wallet, signature, signedAt } = intent
  const paid = { network, transaction: paidBy.transaction, payer }
  const post = { host, id, text, wallet, signature, signedAt, postedUs: nowUs, rail, payment: paid, hidden: null }
  try {
    await savePost(store, post, { also: (writer) => markSettled(writer, payment, paidBy, { nowUs, watchUs }) })
    return 'published'
  } catch (error) {
    // Thrown to undo the transaction: neither post nor announcement stays.
    if (error instanceof NotPublished) return error.why
    throw error
  }
}

async function markSettled(
  writer: Writer,
  payment: StoredPayment,
  paidBy: PaidBy,
  { nowUs, watchUs }: { readonly nowUs: TimestampUs; readonly watchUs: TimestampUs | null },
): Promise<void> {
  if (await isTaken(writer, payment, paidBy)) throw new NotPublished('taken')
  const { transaction, logIndex } = paidBy
  const { key, messageKey } = payment
  const isSecond = messageKey !== null && (await isChargedElsewhere(writer, key, messageKey))
  const updated = await writer
    .updateTable('payments')
    .set({
      state: 'settled',
      transaction_id: transaction,
      log_index: logIndex,
      raw: null,
      reason: null,
      // What nobody here has seen is looked for as soon as there is a node.
      due_us: settlementOf(payment.rail, logIndex) === 'verified on chain' ? watchUs : nowUs,
      updated_us: nowUs,
      // Looks at where it stays are counted from here on.
      ...(watchUs === null ? {} : { attempts: 0 }),
      // Somebody else used an authorisation that was refused here, after another had paid: it has its post too.
      ...(isSecond ? { message_key: null } : {}),
    })
    .where('payment_key', '=', payment.key)
    .where('state', '!=', 'settled')
    .executeTakeFirst()
  if (updated.numUpdatedRows === 0n) throw new NotPublished('already')
}

/** Whether the transfer has paid for something else, or it cannot be told that it has not. */
export async function isTaken(
  writer: Writer,
  { key, network }: StoredPayment,
  { transaction, logIndex }: PaidBy,
): Promise<boolean> {
  const ofTransaction = await writer
    .selectFrom('payments')
    .select('log_index')
    .where('network', '=', network)
    .where('transaction_id', '=', transaction)
    .where('payment_key', '!=', key)
    .execute()
  // One transaction can hold the transfers of several payments; without its place in it, this could be any of them.
  return ofTransaction.some((other) => logIndex < 0 || other.log_index === logIndex)
}
