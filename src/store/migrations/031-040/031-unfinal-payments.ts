import { sql } from 'kysely'
import type { Writer } from '../../schema.ts'

/** Finds settled payments that are looked at until their block is final: few at any time, whatever the ledger holds. */
export async function unfinalPayments(writer: Writer): Promise<void> {
  await sql`create index payments_unfinal on payments (rail, due_us)
    where state = 'settled' and log_index >= 0 and due_us is not null`.execute(writer)
}
