import { type RawBuilder, sql } from 'kysely'
import { DAY_US } from '../../domain/time/day.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { dropDays } from '../hosts/days.ts'
import type { Reader, Writer } from '../schema.ts'
import type { EntryMonth, EntryMonths, Store } from '../store.ts'
import { isArchived } from './archived.ts'
import { foldEntries } from './folded.ts'
import { hasVantages } from './vantages.ts'

/** Entries that one transaction folds where they are removed one by one. */
const BATCH = 5000
const HOSTS_A_PAGE = 500

export interface Retained {
  /** All entries from here on are kept. */
  readonly keptSinceUs: TimestampUs
  /** Entries that were folded and removed. */
  readonly entries: number
}

export const KEPT_SINCE = sql<number | null>`select max(kept_since_us) as us from retention`

/** Since when entries are kept; `null` while all that ever were are still there. */
export async function keptSinceUs(reader: Reader): Promise<TimestampUs | null> {
  const found = await sql<{ us: number | null }>`${KEPT_SINCE}`.execute(reader)
  return found.rows[0]?.us ?? null
}

/**
 * Removes whole months of entries that are older than so many days, after folding them: counters and histogram go on
 * counting everything ever seen. Each step is a transaction, so that it may be cut short and run again. Of `archived`
 * months alone those go whose entries are all kept elsewhere.
 */
export async function retain(
  store: Store,
  nowUs: TimestampUs,
  days: number,
  what: 'all' | 'archived' = 'all',
): Promise<Retained> {
  const sinceUs = oldestKeptUs(nowUs, days)
  const { months } = store
  await doubtKeptSince(store, nowUs)
  const entries =
    months === null ? await deleteOld(store, sinceUs, what) : await dropMonths(store, months, sinceUs, what)
  return { keptSinceUs: sinceUs, entries }
}

/** The beginning of the month that holds the oldest day to be kept. */
export function oldestKeptUs(nowUs: TimestampUs, days: number): TimestampUs {
  const oldest = new Date((nowUs - days * DAY_US) / 1000)
  return Date.UTC(oldest.getUTCFullYear(), oldest.getUTCMonth()) * 1000
}

/** Before anything older goes, in the same transaction: what is said to be kept is always there. */
export async function sayKeptSince(writer: Writer, sinceUs: TimestampUs): Promise<void> {
  await sql`insert into retention (kept_since_us) select ${sinceUs}
    where not exists (select 1 from retention where kept_since_us >= ${sinceUs})`.execute(writer)
  await sql`delete from retention where kept_since_us < ${sinceUs}`.execute(writer)
}

/** What lies ahead was said by a wrong clock, and would refuse every entry until then: all was folded up to its newest. */
async function doubtKeptSince(store: Store, nowUs: TimestampUs): Promise<void> {
  if (((await keptSinceUs(store.read)) ?? 0) <= nowUs) return
  await store.write(async (writer) => {
    const folded = await sql<{ us: number | null }>`select max(newest_us) as us from folded_routes`.execute(writer)
    const newestUs = folded.rows[0]?.us ?? null
    await sql`delete from retention where kept_since_us > ${nowUs}`.execute(writer)
    if (newestUs !== null) await sayKeptSince(writer, newestUs + 1)
  })
}

async function deleteOld(store: Store, sinceUs: TimestampUs, what: 'all' | 'archived'): Promise<number> {
  if (what === 'archived' && !(await endArchived(store, sinceUs))) return 0
  let entries = 0
  for (let after = -1; ; ) {
    const page = await sql<{ host_id: number; has_old: number }>`select h.host_id,
        exists (select 1 from probes as p where p.host_id = h.host_id and p.at_us < ${sinceUs}) as has_old
      from hosts as h where h.host_id > ${after} order by h.host_id limit ${HOSTS_A_PAGE}`.execute(store.read)
    for (const { host_id, has_old } of page.rows) {
      if (has_old) entries += await deleteOldOf(store, host_id, sinceUs)
    }
    const last = page.rows.at(-1)
    if (!last) return entries
    after = last.host_id
  }
}

/** Whether all that is older is archived; if so, nothing is added to it from here on. */
const endArchived = (store: Store, sinceUs: TimestampUs): Promise<boolean> =>
  store.write(async (writer) => {
    const isSo = await isArchived(writer, sql`probes`, sinceUs)
    const old = sql`select 1 from probes where at_us < ${sinceUs} limit 1`
    if (isSo && (await old.execute(writer)).rows.length > 0) await sayKeptSince(writer, sinceUs)
    return isSo
  })

async function deleteOldOf(store: Store, hostId: number, sinceUs: TimestampUs): Promise<number> {
  let entries = 0
  for (;;) {
    const gone = await store.write(async (writer) => {
      const last = await sql<{
        at_us: number
      }>`select at_us from probes where host_id = ${hostId} and at_us < ${sinceUs}
        order by at_us limit 1 offset ${BATCH - 1}`.execute(writer)
      const untilUs = last.rows[0]?.at_us ?? sinceUs - 1
      const which = sql`host_id = ${hostId} and at_us <= ${untilUs}`
      await sayKeptSince(writer, sinceUs)
      await foldEntries(writer, store.dialect, sql`probes`, which)
      const deleted = await sql`delete from probes where ${which}`.execute(writer)
      await dropDays(writer, sinceUs, sql`host_id = ${hostId}`)
      await sql`update host_counters set version = version + 1 where host_id = ${hostId}`.execute(writer)
      return Number(deleted.numAffectedRows ?? 0n)
    })
    entries += gone
    if (gone < BATCH) return entries
  }
}

/** By hosts where vantages are named: what each saw is held until it is stored. */
async function stepsOf(writer: Writer, which: RawBuilder<unknown>): Promise<RawBuilder<unknown>[]> {
  if (!(await hasVantages(writer))) return [which]
  const steps: RawBuilder<unknown>[] = []
  for (let after = -1; ; ) {
    const page = await sql<{ host_id: number }>`select host_id from hosts where host_id > ${after}
      order by host_id limit ${sql.lit(HOSTS_A_PAGE)}`.execute(writer)
    const last = page.rows.at(-1)
    if (last === undefined) return steps
    steps.push(sql`${which} and host_id > ${after} and host_id <= ${last.host_id}`)
    after = last.host_id
  }
}

/** Months that are over go whole; what lies in none is removed row by row. */
async function dropMonths(
  store: Store,
  months: EntryMonths,
  sinceUs: TimestampUs,
  what: 'all' | 'archived',
): Promise<number> {
  let entries = 0
  for (const month of await months.list(store.read)) {
    if (month.endUs === null || month.endUs <= sinceUs) entries += await foldMonth(store, months, month, sinceUs, what)
  }
  return entries
}

const foldMonth = (
  store: Store,
  months: EntryMonths,
  month: EntryMonth,
  sinceUs: TimestampUs,
  what: 'all' | 'archived',
): Promise<number> =>
  store.write(async (writer) => {
    const table = sql.table(month.table)
    const which = sql`at_us < ${sinceUs}`
    if (!(await months.hold(writer, month))) return 0
    if (what === 'archived' && !(await isArchived(writer, table, sinceUs))) return 0
    const old = await sql<{ n: number }>`select count(*) as n from ${table} as p where ${which}`.execute(writer)
    const entries = old.rows[0]?.n ?? 0
    if (entries > 0) {
      await sayKeptSince(writer, sinceUs)
      for (const step of await stepsOf(writer, which)) await foldEntries(writer, store.dialect, table, step)
      const touched = sql`host_id in (select host_id from ${table} as p where ${which})`
      // In the order in which batches of evidence take them, so that nobody waits in a circle.
      await store.dialect.lockRows(writer, { table: 'host_counters', which: touched, order: sql`host_id` })
      await sql`update host_counters set version = version + 1 where ${touched}`.execute(writer)
      await dropDays(writer, sinceUs, touched)
    }
    if (month.endUs !== null) await months.drop(writer, month)
    else await sql`delete from ${table} where ${which}`.execute(writer)
    return entries
  })
