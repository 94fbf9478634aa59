import { sql } from 'kysely'
import type { Writer } from '../../schema.ts'

/**
 * Payments that were taken on a facilitator's word: found for their posts, and due as soon as a node can look for them.
 * They stay out of the index of undecided ones, which would otherwise grow with all that nobody can ever look at.
 */
const STATEMENTS = `
create index payments_by_post on payments (post_id);
drop index payments_due;
create index payments_due on payments (due_us) where state <> 'settled';
create index payments_unseen on payments (network, due_us) where state = 'settled' and rail = 'x402' and log_index < 0;
update payments set due_us = updated_us where state = 'settled' and rail = 'x402' and log_index < 0`

export async function unseenPayments(writer: Writer): Promise<void> {
  for (const statement of STATEMENTS.split(';')) await sql.raw(statement).execute(writer)
}
