import { sql } from 'kysely'
import type { Writer } from '../../schema.ts'

const TABLES = ['claims', 'statements', 'signed_offers', 'offer_keys'] as const

/**
 * Where in the evidence log claims, statements, signed offers and their keys stand. Those that are stored are logged in the
 * background; of hosts whose other history is logged already (`is_again`), these rows alone.
 */
export async function loggedSellers(writer: Writer): Promise<void> {
  await sql`alter table log_history add column is_again integer not null default 0`.execute(writer)
  for (const table of TABLES) {
    await sql`alter table ${sql.table(table)} add column log_id bigint`.execute(writer)
    await sql`insert into log_history (host_id, is_again) select distinct host_id, 1 from ${sql.table(table)} as t
      where not exists (select 1 from log_history as h where h.host_id = t.host_id)`.execute(writer)
  }
}
