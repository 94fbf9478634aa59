import { sql } from 'kysely'
import type { Writer } from '../../schema.ts'

/** Hosts rank by verified buyers, then by signed reviews; unsigned ones, which anybody makes in any number, move nobody. */
const STATEMENTS = `
drop index host_counters_by_reviews;
create index host_counters_by_reviews on host_counters ((reviews_verified * 10000000 + reviews_signed), host_id)`

export async function reviewRanks(writer: Writer): Promise<void> {
  for (const statement of STATEMENTS.split(';')) await sql.raw(statement).execute(writer)
}
