import { sql } from 'kysely'
import type { Writer } from '../../schema.ts'

/** Totals of the whole directory as they were counted last: what the first home page after a start shows. */
export async function keptTotals(writer: Writer): Promise<void> {
  await sql`create table kept_totals (
    shape bigint not null, counted_us bigint not null, totals text not null, primary key (shape))`.execute(writer)
}
