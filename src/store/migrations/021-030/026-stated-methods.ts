import { sql } from 'kysely'
import type { Writer } from '../../schema.ts'

/** A listing row says whether its source named a method; of rows from before it counts as named until the next sweep. */
export async function statedMethods(writer: Writer): Promise<void> {
  await sql`alter table listings add column method_stated integer not null default 1`.execute(writer)
}
