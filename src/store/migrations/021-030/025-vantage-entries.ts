import { sql } from 'kysely'
import type { Writer } from '../../schema.ts'

/** Finds what one vantage saw among the entries of all; those of probers without a name are not in it. */
export async function vantageEntries(writer: Writer): Promise<void> {
  await sql`create index probes_by_vantage on probes (host_id, vantage_id, at_us) where vantage_id is not null`.execute(
    writer,
  )
}
