import { type SqlBool, sql } from 'kysely'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Reader } from '../schema.ts'
import { payments, type StoredPayment, storedPaymentOf } from './payments.ts'
import { SettledSteps } from './settled-steps.ts'

/* Settled payments that no node of ours has seen: their posts were published on a facilitator's word. */

/** Word for word the condition of the index `payments_unseen`. */
const UNSEEN = sql<SqlBool>`payments.state = 'settled' and payments.rail = 'x402' and payments.log_index < 0`

export const unseen = new SettledSteps(UNSEEN)

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
