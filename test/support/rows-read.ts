import { sql } from 'kysely'
import type { Reader } from '../../src/store/schema.ts'

/** How many rows a Postgres server takes out of its tables for it, within this transaction. */
export async function rowsRead(reader: Reader, read: () => Promise<unknown>): Promise<number> {
  const counted = sql<{ n: number }>`select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as n
    from pg_stat_xact_user_tables`
  const before = (await counted.execute(reader)).rows[0]?.n ?? 0
  await read()
  return ((await counted.execute(reader)).rows[0]?.n ?? 0) - before
}
