import type { RawBuilder, SqlBool } from 'kysely'
import { CLAIM_US } from '../../domain/money/payment.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { findHostId } from '../host-id.ts'
import { HostTransaction } from '../hosts/host-transaction.ts'
import type { Writer } from '../schema.ts'
import type { Store } from '../store.ts'
import { markHidden } from './hide-post.ts'
import { asLine, UNNAMED } from './payment-steps.ts'
import type { StoredPayment } from './payments.ts'
import { isTaken, type PaidBy } from './publish.ts'
import { readPost } from './read-post.ts'

/**
 * The steps of settled payments that are still looked at. Every step is conditional on what its caller saw, so that of
 * several programs at most one takes it.
 */
export class SettledSteps {
  /** Which settled payments these are, word for word as their index has it. */
  constructor(private readonly condition: RawBuilder<SqlBool>) {}

  /** Takes a payment as the caller saw it; whoever else saw it the same comes too late. */
  async claim(store: Store, seen: StoredPayment, nowUs: TimestampUs): Promise<StoredPayment | undefined> {
    const claimed = { ...seen, attempts: seen.attempts + 1, dueUs: nowUs + CLAIM_US }
    const updated = await store.write((writer) =>
      this.#still(writer, seen).set({ due_us: claimed.dueUs, attempts: claimed.attempts }).executeTakeFirst(),
    )
    return updated.numUpdatedRows === 0n ? undefined : claimed
  }

  /** Looked at again at `dueUs`; never again when that is null. */
  async postpone(
    store: Store,
    claimed: StoredPayment,
    reason: string | null,
    dueUs: TimestampUs | null,
  ): Promise<void> {
    await store.write((writer) =>
      this.#still(writer, claimed)
        .set({ due_us: dueUs, reason: reason === null ? null : asLine(reason) })
        .execute(),
    )
  }

  /** The chain holds the transfer there: the payment and its post name the chain's transaction from now on. */
  confirm(
    store: Store,
    claimed: StoredPayment,
    paidBy: PaidBy,
    dueUs: TimestampUs | null,
  ): Promise<'confirmed' | 'already' | 'taken'> {
    return store.write(async (writer) => {
      const held = await holding(store, writer, claimed)
      if (await isTaken(writer, claimed, paidBy)) return 'taken'
      const { transaction, logIndex } = paidBy
      const updated = await this.#still(writer, claimed)
        .set({ transaction_id: transaction, log_index: logIndex, due_us: dueUs, reason: null })
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

  /**
   * The chain has said that it is not paid and never will be: the post is hidden, unless an operator has hidden it
   * before, and the payment has expired. It keeps the transaction that it was settled with. `shown` is what everybody
   * reads in the place of the post. False: somebody else was faster.
   */
  withdraw(
    store: Store,
    claimed: StoredPayment,
    { shown, reason }: { readonly shown: string; readonly reason: string },
    nowUs: TimestampUs,
  ): Promise<boolean> {
    return store.write(async (writer) => {
      const held = await holding(store, writer, claimed)
      const updated = await this.#still(writer, claimed)
        .set({ state: 'expired', reason: asLine(`${shown}: ${reason}`), due_us: null, ...UNNAMED, updated_us: nowUs })
        .executeTakeFirst()
      if (updated.numUpdatedRows === 0n) return false
      const post = await readPost(writer, claimed.postId)
      if (post !== undefined && post.hidden_us === null) {
        await markHidden(held, post, { atUs: nowUs, reason: shown, nowUs })
      }
      await held.save()
      return true
    })
  }

  #still(writer: Writer, { key, attempts }: StoredPayment) {
    const own = writer.updateTable('payments').where('payment_key', '=', key)
    return own.where(this.condition).where('attempts', '=', attempts)
  }
}

/** The payment's host is held before its row is changed, as everywhere. */
async function holding({ dialect }: Store, writer: Writer, { host }: StoredPayment): Promise<HostTransaction> {
  const hostId = await findHostId(writer, host)
  if (hostId === undefined) throw new Error('the host of a payment is not there')
  const held = new HostTransaction(writer, dialect)
  await held.hold([hostId])
  return held
}
