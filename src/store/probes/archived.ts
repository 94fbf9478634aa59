import { type RawBuilder, sql } from 'kysely'
import { DAY_US } from '../../domain/time/day.ts'
import { formatTimestamp, type TimestampUs } from '../../domain/time/timestamp.ts'
import type { Reader, Writer } from '../schema.ts'

/** Entries by month, e.g. `2025-09`. */
export type MonthCounts = ReadonlyMap<string, number>

async function countMonths(reader: Reader, table: RawBuilder<unknown>, beforeUs: TimestampUs): Promise<MonthCounts> {
  const { rows } = await sql<{ day: number; n: number }>`select at_us / ${sql.lit(DAY_US)} as day, count(*) as n
    from ${table} as p where at_us < ${beforeUs} group by at_us / ${sql.lit(DAY_US)}`.execute(reader)
  const months = new Map<string, number>()
  for (const { day, n } of rows) {
    const month = formatTimestamp(day * DAY_US).slice(0, 7)
    months.set(month, (months.get(month) ?? 0) + n)
  }
  return months
}

/**
 * Months with entries before a time that are not archived as they are now. To a month that is no longer kept nothing is
 * added, so of that one some may be gone already; any other must have as many entries as were archived.
 */
async function unarchivedOf(reader: Reader, table: RawBuilder<unknown>, beforeUs: TimestampUs): Promise<MonthCounts> {
  const rows = await reader.selectFrom('archived_months').select(['month', 'entries']).execute()
  const archived = new Map(rows.map(({ month, entries }) => [month, entries]))
  const kept = await sql<{ us: number | null }>`select max(kept_since_us) as us from retention`.execute(reader)
  const firstKept = formatTimestamp(kept.rows[0]?.us ?? 0).slice(0, 7)
  const isArchived = (month: string, n: number): boolean => {
    const entries = archived.get(month) ?? -1
    return month < firstKept ? n <= entries : n === entries
  }
  return new Map([...(await countMonths(reader, table, beforeUs))].filter(([month, n]) => !isArchived(month, n)))
}

export const unarchivedMonths = (reader: Reader, beforeUs: TimestampUs): Promise<MonthCounts> =>
  unarchivedOf(reader, sql`probes`, beforeUs)

/** Whether anything of before a time is there, archived or not. */
export async function hasEntriesBefore(reader: Reader, beforeUs: TimestampUs): Promise<boolean> {
  const { rows } = await sql`select 1 from probes where at_us < ${beforeUs} limit 1`.execute(reader)
  return rows.length > 0
}

/** In the transaction that removes what a table has of before a time. */
export const isArchived = async (writer: Writer, table: RawBuilder<unknown>, beforeUs: TimestampUs): Promise<boolean> =>
  (await unarchivedOf(writer, table, beforeUs)).size === 0

/** So many entries of each month are kept elsewhere for good. */
export async function sayArchived(writer: Writer, months: MonthCounts, nowUs: TimestampUs): Promise<void> {
  for (const [month, entries] of months) {
    await sql`insert into archived_months (month, entries, archived_us) values (${month}, ${entries}, ${nowUs})
      on conflict (month) do update set entries = excluded.entries, archived_us = excluded.archived_us`.execute(writer)
  }
}

/** What was archived is not where months go from now on. One that is still in the store is written again. */
export async function forgetArchived(writer: Writer, months: readonly string[]): Promise<void> {
  await writer.deleteFrom('archived_months').where('month', 'in', months).execute()
}
