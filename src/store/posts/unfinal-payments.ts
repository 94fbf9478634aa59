import { type SqlBool, sql } from 'kysely'
import type { Rail } from '../../domain/route.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Reader } from '../schema.ts'
import { payments, type StoredPayment, storedPaymentOf } from './payments.ts'
import { SettledSteps } from './settled-steps.ts'

/* Settled payments that were seen on chain, in a block that a reorganisation may still take away. */

/** Word for word the condition of the index `payments_unfinal`. */
const UNFINAL = sql<SqlBool>`payments.state = 'settled' and payments.log_index >= 0 and payments.due_us is not null`

export const unfinal = new SettledSteps(UNFINAL)

/** Those of one rail that it is time to look at, the longest overdue first. */
export async function unfinalPayments(
  reader: Reader,
  rail: Rail,
  nowUs: TimestampUs,
  limit: number,
): Promise<StoredPayment[]> {
  const rows = await payments(reader)
    .where(UNFINAL)
    .where('rail', '=', rail)
    .where('due_us', '<=', nowUs)
    .orderBy('due_us')
    .limit(limit)
    .execute()
  return rows.map(storedPaymentOf)
}
