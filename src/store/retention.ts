import { sql } from 'kysely'
import type { TimestampUs } from '../domain/timestamp.ts'
import { dropDays } from './days.ts'
import { foldEntries } from './folded.ts'
import type { Reader, Writer } from './schema.ts'
import type { Store } from './store.ts'

export const DEFAULT_KEPT_DAYS = 400
const DAY_US = 86_400_000_000
/** Entries that one transaction folds where they are removed one by one. */
const BATCH = 5000
const HOSTS_A_PAGE = 500
/** Dropping a month waits this long for readers, who wait behind it; then it is left for the next time. */
const LOCK_MS = 10_000

export interface Retained {
  /** All entries from here on are kept. */
  readonly keptSinceUs: TimestampUs
  /** Entries that were folded and removed. */
  readonly entries: number
}

/** Since when entries are kept; `null` while all that ever were are still there. */
export async function keptSinceUs(reader: Reader): Promise<TimestampUs | null> {
  const found = await sql<{ us: number | null }>`select max(kept_since_us) as us from retention`.execute(reader)
  return found.rows[0]?.us ?? null
}

/** Without those that are older than what is kept: they were counted before they were removed, and would count again. */
export async function withoutFolded<T extends { readonly atUs: TimestampUs }>(
  reader: Reader,
  entries: readonly T[],
): Promise<readonly T[]> {
  if (entries.length === 0) return entries
  const since = await keptSinceUs(reader)
  return since === null ? entries : entries.filter(({ atUs }) => atUs >= since)
}

/**
 * Removes whole months of entries that are older than so many days, after folding them: counters and histogram go on
 * counting everything ever seen. Each step is a transaction, so that it may be cut short and run again.
 */
export async function retain(store: Store, nowUs: TimestampUs, days: number = DEFAULT_KEPT_DAYS): Promise<Retained> {
  const oldest = new Date((nowUs - days * DAY_US) / 1000)
  const sinceUs = Date.UTC(oldest.getUTCFullYear(), oldest.getUTCMonth()) * 1000
  const entries =
    store.dialect.engine === 'postgres' ? await dropMonths(store, sinceUs) : await deleteOld(store, sinceUs)
  return { keptSinceUs: sinceUs, entries }
}

/** Before anything older goes, in the same transaction: what is said to be kept is always there. */
export async function sayKeptSince(writer: Writer, sinceUs: TimestampUs): Promise<void> {
  await sql`insert into retention (kept_since_us) select ${sinceUs}
    where not exists (select 1 from retention where kept_since_us >= ${sinceUs})`.execute(writer)
  await sql`delete from retention where kept_since_us < ${sinceUs}`.execute(writer)
}

async function deleteOld(store: Store, sinceUs: TimestampUs): Promise<number> {
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

/** Where months have partitions of their own they go whole; what lies in none is removed row by row. */
async function dropMonths(store: Store, sinceUs: TimestampUs): Promise<number> {
  const found = await sql<{ name: string }>`select c.relname as name from pg_inherits as i
    join pg_class as c on c.oid = i.inhrelid where i.inhparent = 'probes'::regclass order by c.relname`.execute(
    store.read,
  )
  let entries = 0
  for (const { name } of found.rows) {
    const [, year, month] = /^probes_(\d{4})_(\d{2})$/.exec(name) ?? []
    // The month after it begins where it ends.
    const isOld = year !== undefined && Date.UTC(Number(year), Number(month)) * 1000 <= sinceUs
    if (isOld || year === undefined) entries += await foldTable(store, name, sinceUs, isOld)
  }
  return entries
}

const foldTable = (store: Store, name: string, sinceUs: TimestampUs, isWhole: boolean): Promise<number> =>
  store.write(async (writer) => {
    const table = sql.table(name)
    const which = sql`at_us < ${sinceUs}`
    await sql.raw(`set local lock_timeout = ${LOCK_MS}`).execute(writer)
    // Another program may have dropped it since.
    const there = await sql<{ there: boolean }>`select to_regclass(${name}) is not null as there`.execute(writer)
    if (!there.rows[0]?.there) return 0
    // Nothing more is added; reading goes on until the very end.
    await sql`lock table ${table} in share mode`.execute(writer)
    const old = await sql<{ n: number }>`select count(*) as n from ${table} as p where ${which}`.execute(writer)
    const entries = old.rows[0]?.n ?? 0
    if (entries > 0) {
      await sayKeptSince(writer, sinceUs)
      await foldEntries(writer, store.dialect, table, which)
      const touched = sql`host_id in (select host_id from ${table} as p where ${which})`
      // In the order in which batches of evidence take them, so that nobody waits in a circle.
      await sql`select 1 from host_counters where ${touched} order by host_id for update`.execute(writer)
      await sql`update host_counters set version = version + 1 where ${touched}`.execute(writer)
      await dropDays(writer, sinceUs, touched)
    }
    if (isWhole) await sql`drop table ${table}`.execute(writer)
    else await sql`delete from ${table} where ${which}`.execute(writer)
    return entries
  })
