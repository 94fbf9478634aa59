import { type SqlBool, sql } from 'kysely'
import { CLAIM_US } from '../../domain/money/payment.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { findHostId } from '../host-id.ts'
import { HostTransaction } from '../hosts/host-transaction.ts'
import type { Reader, Writer } from '../schema.ts'
import type { Store } from '../store.ts'
import { markHidden } from './hide-post.ts'
import { asLine, UNNAMED } from './payment-steps.ts'
import { payments, type StoredPayment, storedPaymentOf } from './payments.ts'
import { isTaken, type PaidBy } from './publish.ts'
import { readPost } from './read-post.ts'

/*
 * Settled payments that no node of ours has seen: their posts were published on a facilitator's word. Every step is
 * conditional on what its caller saw, so that of several programs at most one takes it.
 */

/** Word for word the condition of the index `payments_unseen`. */
const UNSEEN = sql<SqlBool>`payments.state = 'settled' and payments.rail = 'x402' and payments.log_index < 0`

/** Those on one network that it is time to look for, the longest overdue first. */
export async function unseenPayments(
  reader: Reader,
  network: string,
  nowUs: TimestampUs,
  limit: number,
): Promise<StoredPayment[]> {
  const rows = await payments(reader)
    .where(UNSEEN)
    .where('network', '=', network)
    .where('due_us', '<=', nowUs)
    .orderBy('due_us')
    .limit(limit)
    .execute()
  return rows.map(storedPaymentOf)
}

const stillUnseen = (writer: Writer, { key, attempts }: StoredPayment) =>
  writer.updateTable('payments').where('payment_key', '=', key).where(UNSEEN).where('attempts', '=', attempts)

/** Takes a payment as the caller saw it; whoever else saw it the same comes too late. */
export async function claimUnseen(
  store: Store,
  seen: StoredPayment,
  nowUs: TimestampUs,
): Promise<StoredPayment | undefined> {
  const claimed = { ...seen, attempts: seen.attempts + 1, dueUs: nowUs + CLAIM_US }
  const updated = await store.write((writer) =>
    stillUnseen(writer, seen).set({ due_us: claimed.dueUs, attempts: claimed.attempts }).executeTakeFirst(),
  )
  return updated.numUpdatedRows === 0n ? undefined : claimed
}

/** Nobody can say yet: looked for again at `dueUs`. */
export async function postponeUnseen(
  store: Store,
  claimed: StoredPayment,
  reason: string,
  dueUs: TimestampUs,
): Promise<void> {
  await store.write((writer) =>
    stillUnseen(writer, claimed)
      .set({ due_us: dueUs, reason: asLine(reason) })
      .execute(),
  )
}

/** The chain holds the transfer: the payment is seen from now on, and its post names the chain's transaction. */
export function confirmPayment(
  store: Store,
  claimed: StoredPayment,
  paidBy: PaidBy,
): Promise<'confirmed' | 'already' | 'taken'> {
  return store.write(async (writer) => {
    const held = await holding(store, writer, claimed)
    if (await isTaken(writer, claimed, paidBy)) return 'taken'
    const { transaction, logIndex } = paidBy
    const updated = await stillUnseen(writer, claimed)
      .set({ transaction_id: transaction, log_index: logIndex, due_us: null, reason: null })
      .executeTakeFirst()
    if (updated.numUpdatedRows === 0n) return 'already'
    const post = await readPost(writer, claimed.postId)
    if (post !== undefined && post.payment_transaction !== transaction) {
      await writer
        .updateTable('posts')
        .set({ payment_transaction: transaction })
        .where('host_id', '=', post.host_id)
        .where('post_id', '=', claimed.postId)
        .execute()
    }
    await held.save()
    return 'confirmed'
  })
}

/** What everybody reads in the place of a post that nobody paid for. */
export const NO_PAYMENT_FOUND = 'no payment was found on chain'

/**
 * The chain has said that it was not paid and never will be: the post is hidden, unless an operator has hidden it
 * before, and the payment has expired. It keeps the transaction that the facilitator named. False: somebody else was faster.
 */
export function withdrawPost(
  store: Store,
  claimed: StoredPayment,
  reason: string,
  nowUs: TimestampUs,
): Promise<boolean> {
  return store.write(async (writer) => {
    const held = await holding(store, writer, claimed)
    const updated = await stillUnseen(writer, claimed)
      .set({
        state: 'expired',
        reason: asLine(`${NO_PAYMENT_FOUND}: ${reason}`),
        due_us: null,
        ...UNNAMED,
        updated_us: nowUs,
      })
      .executeTakeFirst()
    if (updated.numUpdatedRows === 0n) return false
    const post = await readPost(writer, claimed.postId)
    if (post !== undefined && post.hidden_us === null) {
      await markHidden(held, post, { atUs: nowUs, reason: NO_PAYMENT_FOUND, nowUs })
    }
    await held.save()
    return true
  })
}

/** The payment's host is held before its row is changed, as everywhere. */
async function holding({ dialect }: Store, writer: Writer, { host }: StoredPayment): Promise<HostTransaction> {
  const hostId = await findHostId(writer, host)
  if (hostId === undefined) throw new Error('the host of a payment is not there')
  const held = new HostTransaction(writer, dialect)
  await held.hold([hostId])
  return held
}
