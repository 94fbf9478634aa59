import { type Kysely, sql } from 'kysely'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Tables } from '../schema.ts'
import type { EntryMonths } from '../store.ts'
import { retried } from './retried.ts'

/** Outside these years entries go to the default partition: a file with odd dates must not make thousands of tables. */
const FIRST_YEAR = 2020
const LAST_YEAR = 2039

/** Dropping a month waits this long for readers, who wait behind it; then it is left for the next time. */
const LOCK_MS = 10_000

/** Held to the end of the transaction that folds a month. */
const FOLDING_LOCK = 8_402_187

const MONTH_EXISTS = ['42P07', '23505']

/** Creates the monthly partitions of `probes` that are not there yet, each in a transaction of its own. */
export function createMonths(db: Kysely<Tables>): (timesUs: Iterable<TimestampUs>) => Promise<void> {
  const known = new Set<number>()
  return async (timesUs) => {
    const wanted = new Set<number>()
    for (const us of timesUs) {
      const date = new Date(us / 1000)
      const month = date.getUTCFullYear() * 12 + date.getUTCMonth()
      if (!known.has(month)) wanted.add(month)
    }
    for (const month of wanted) {
      const year = Math.floor(month / 12)
      if (year >= FIRST_YEAR && year <= LAST_YEAR) await createMonth(db, year, month % 12)
      known.add(month)
    }
  }
}

async function createMonth(db: Kysely<Tables>, year: number, month: number): Promise<void> {
  const name = `probes_${year}_${String(month + 1).padStart(2, '0')}`
  const from = Date.UTC(year, month) * 1000
  const to = Date.UTC(year, month + 1) * 1000
  try {
    await retried(() =>
      sql
        .raw(`create table if not exists ${name} partition of probes for values from (${from}) to (${to})`)
        .execute(db),
    )
  } catch (error) {
    // Another program created it at the same moment.
    if (!(error instanceof Error && 'code' in error && MONTH_EXISTS.includes(String(error.code)))) throw error
  }
}

/** The monthly partitions of `probes`. */
export const MONTHS: EntryMonths = {
  list: async (reader) => {
    const found = await sql<{ name: string }>`select c.relname as name from pg_inherits as i
      join pg_class as c on c.oid = i.inhrelid where i.inhparent = 'probes'::regclass order by c.relname`.execute(
      reader,
    )
    return found.rows.map(({ name }) => {
      const [, year, month] = /^probes_(\d{4})_(\d{2})$/.exec(name) ?? []
      // The month after it begins where it ends.
      return { table: name, endUs: year === undefined ? null : Date.UTC(Number(year), Number(month)) * 1000 }
    })
  },
  hold: async (writer, { table }) => {
    // One after another: whether it is there is asked when whoever drops it has done so.
    await sql`select pg_advisory_xact_lock(${sql.lit(FOLDING_LOCK)})`.execute(writer)
    await sql.raw(`set local lock_timeout = ${LOCK_MS}`).execute(writer)
    const found = await sql<{ there: boolean }>`select to_regclass(${table}) is not null as there`.execute(writer)
    if (!found.rows[0]?.there) return false
    await sql`lock table ${sql.table(table)} in share mode`.execute(writer)
    return true
  },
  drop: async (writer, { table }) => {
    await sql`drop table ${sql.table(table)}`.execute(writer)
  },
}
