import { type Kysely, sql } from 'kysely'
import type { TimestampUs } from '../../domain/timestamp.ts'
import type { Tables } from '../schema.ts'

/** Outside these years entries go to the default partition: a file with odd dates must not make thousands of tables. */
const FIRST_YEAR = 2020
const LAST_YEAR = 2039

const MONTH_EXISTS = ['42P07', '23505']

/** Creates the monthly partitions of `probes` that are not there yet, each in a transaction of its own. */
export function monthsOf(db: Kysely<Tables>): (timesUs: Iterable<TimestampUs>) => Promise<void> {
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
    await sql
      .raw(`create table if not exists ${name} partition of probes for values from (${from}) to (${to})`)
      .execute(db)
  } catch (error) {
    // Another program created it at the same moment.
    if (!(error instanceof Error && 'code' in error && MONTH_EXISTS.includes(String(error.code)))) throw error
  }
}
