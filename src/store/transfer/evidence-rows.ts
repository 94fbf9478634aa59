import { sql } from 'kysely'
import type { Reader, Tables } from '../schema.ts'

/** Every kind of record is a row of one of these. */
const TABLES = [
  'listings',
  'unlisted',
  'sweeps',
  'payees',
  'probes',
  'signed_offers',
  'offer_keys',
  'ownership',
  'claims',
  'statements',
  'read_documents',
  'retention',
  'folded_routes',
  'folded_latency',
  'reviews',
  'posts',
  'payments',
  'events',
] as const satisfies readonly (keyof Tables)[]

/** How many records the store holds: what it grows by in an import was not there before. */
export async function evidenceRows(reader: Reader): Promise<number> {
  let sum = 0
  for (const table of TABLES) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(reader)
    sum += rows[0]?.n ?? 0
  }
  return sum
}
