import { type SqlBool, sql } from 'kysely'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Reader } from '../schema.ts'
import type { Store } from '../store.ts'
import { NO_PAYMENT_FOUND } from './hide-post.ts'
import { payments, type StoredPayment, storedPaymentOf } from './payments.ts'
import type { PaidBy } from './publish.ts'
import { SettledSteps } from './settled-steps.ts'

/* Settled payments that no node of ours has seen: their posts were published on a facilitator's word. */

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

const steps = new SettledSteps(UNSEEN)

/** Takes a payment as the caller saw it; whoever else saw it the same comes too late. */
export const claimUnseen = (
  store: Store,
  seen: StoredPayment,
  nowUs: TimestampUs,
): Promise<StoredPayment | undefined> => steps.claim(store, seen, nowUs)

/** Nobody can say yet: looked for again at `dueUs`. */
export const postponeUnseen = (
  store: Store,
  claimed: StoredPayment,
  reason: string,
  dueUs: TimestampUs,
): Promise<void> => steps.postpone(store, claimed, reason, dueUs)

/**
 * The chain holds the transfer: the payment is seen from now on, and its post names the chain's transaction. Whether it
 * stays there is looked at from `watchUs` on.
 */
export const confirmPayment = (
  store: Store,
  claimed: StoredPayment,
  paidBy: PaidBy,
  watchUs: TimestampUs | null = null,
): Promise<'confirmed' | 'already' | 'taken'> => steps.confirm(store, claimed, paidBy, watchUs)

/** The chain has said that it was not paid and never will be. False: somebody else was faster. */
export const withdrawPost = (
  store: Store,
  claimed: StoredPayment,
  reason: string,
  nowUs: TimestampUs,
): Promise<boolean> => steps.withdraw(store, claimed, { shown: NO_PAYMENT_FOUND, reason }, nowUs)
