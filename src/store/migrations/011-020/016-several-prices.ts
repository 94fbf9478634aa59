import { sql } from 'kysely'
import type { Writer } from '../../schema.ts'

/** Rows that their source names beside another price of the same network. Which ones they are, its next sweep tells. */
export async function severalPrices(writer: Writer): Promise<void> {
  await sql`alter table listings add column one_of_several integer not null default 0`.execute(writer)
}
