import { sql } from 'kysely'
import type { SellerHost } from '../../domain/host.ts'
import type { Method, Rail, Scheme } from '../../domain/route.ts'
import type { FailedPage } from '../../domain/sweep.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Reader, SourceTable, SweepTable, Writer } from '../schema.ts'
import { readJson } from '../sql/json.ts'
import type { Store } from '../store.ts'
import { type ListingColumns, type ListingInput, listingOf } from './listings.ts'

/** The row of a source, made when it is met the first time. */
export async function knownSource(writer: Writer, name: string): Promise<void> {
  await writer
    .insertInto('sources')
    .values({ name, progress: null, failed_page: null, due_us: 0, lease_until_us: 0, lease_by: null })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
}

export const readSource = (reader: Reader, name: string): Promise<SourceTable | undefined> =>
  reader.selectFrom('sources').selectAll().where('name', '=', name).executeTakeFirst()

/** The program that has a source, as it names itself, and how long at least. */
export interface SourceHolder {
  readonly by: string
  readonly untilUs: TimestampUs
}

export async function holderOf(reader: Reader, name: string, nowUs: TimestampUs): Promise<SourceHolder | null> {
  const row = await readSource(reader, name)
  if (row === undefined || row.lease_by === null || row.lease_until_us <= nowUs) return null
  return { by: row.lease_by, untilUs: row.lease_until_us }
}

/** Clocks that differ by less do not take each other's sources. */
const MOST_AHEAD_US = 60_000_000

/**
 * Takes the source for this program until the lease ends; `false` while another program holds it, unless that one is `ended`
 * and known to have died, or its lease ends later than any could: its clock was ahead.
 */
export const leaseSource = (
  store: Store,
  name: string,
  by: string,
  nowUs: TimestampUs,
  untilUs: TimestampUs,
  ended: string = by,
): Promise<boolean> =>
  store.write(async (writer) => {
    await knownSource(writer, name)
    const taken = await writer
      .updateTable('sources')
      .set({ lease_until_us: untilUs, lease_by: by })
      .where('name', '=', name)
      .where((eb) =>
        eb.or([
          eb('lease_until_us', '<=', nowUs),
          eb('lease_by', 'in', [by, ended]),
          eb('lease_until_us', '>', untilUs + MOST_AHEAD_US),
        ]),
      )
      .returning('name')
      .execute()
    return taken.length > 0
  })

/** A program that stood still for longer than its lease does not go on: another one may have swept the source since. */
export class SourceLost extends Error {}

/** Rejects with `SourceLost` where another program had the source meanwhile. Nobody takes it until the transaction ends. */
export async function holdSource(writer: Writer, name: string, by: string): Promise<void> {
  const held = await writer
    .updateTable('sources')
    .set({ lease_by: by })
    .where('name', '=', name)
    .where('lease_by', '=', by)
    .executeTakeFirst()
  if (held.numUpdatedRows === 0n) throw new SourceLost(`another program has swept ${name} since`)
}

/** Holds the source for longer; one that was lost is not taken again. */
export const renewSource = (store: Store, name: string, by: string, untilUs: TimestampUs): Promise<void> =>
  store.write(async (writer) => {
    await holdSource(writer, name, by)
    await writer.updateTable('sources').set({ lease_until_us: untilUs }).where('name', '=', name).execute()
  })

/** Gives the source back and says when it is due again. */
export const releaseSource = (store: Store, name: string, by: string, dueUs: TimestampUs): Promise<void> =>
  store.write(async (writer) => {
    await writer
      .updateTable('sources')
      .set({ lease_until_us: 0, lease_by: null, due_us: dueUs })
      .where('name', '=', name)
      .where('lease_by', '=', by)
      .execute()
  })

/** Replaces the outcome of the same sweep when it was resumed: the later one stays, in whatever order they arrive. */
export async function saveSweep(writer: Writer, row: SweepTable): Promise<void> {
  await writer
    .insertInto('sweeps')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['source', 'started_us']).doUpdateSet(row).where('sweeps.ended_us', '<=', row.ended_us),
    )
    .execute()
}

/** The later one stays, in whatever order they arrive. */
export async function saveFailedPage(writer: Writer, source: string, page: FailedPage): Promise<void> {
  const before = readJson((await readSource(writer, source))?.failed_page ?? null)
  if (before !== null && before.atUs > page.atUs) return
  await writer
    .updateTable('sources')
    .set({ failed_page: JSON.stringify(page) })
    .where('name', '=', source)
    .execute()
}

/** A source's newest sweeps, newest first. */
export const readSweeps = (reader: Reader, source: string, limit: number): Promise<SweepTable[]> =>
  reader
    .selectFrom('sweeps')
    .selectAll()
    .where('source', '=', source)
    .orderBy('started_us', 'desc')
    .limit(limit)
    .execute()

/** A source's newest complete sweeps, newest first. */
export const readCompleteSweeps = (reader: Reader, source: string, limit: number): Promise<SweepTable[]> =>
  reader
    .selectFrom('sweeps')
    .selectAll()
    .where('source', '=', source)
    .where('status', '=', 'complete')
    .orderBy('started_us', 'desc')
    .limit(limit)
    .execute()

/** The rows that a document which has not changed gave, as they are seen again at `atUs`. */
export async function rowsSeenAgain(
  reader: Reader,
  source: string,
  host: { readonly id: number } | null,
  sinceUs: TimestampUs,
  atUs: TimestampUs,
): Promise<ListingInput[]> {
  const ofHost = host === null ? sql`` : sql`and l.host_id = ${host.id}`
  const found = await sql<
    ListingColumns & { name: SellerHost; scheme: Scheme; method: Method; path: string; rail: Rail }
  >`select l.source, l.price, l.network, l.first_us, l.last_us, l.gone_us, l.method_stated, h.name, r.scheme, r.method,
      r.path, r.rail
    from listings as l join hosts as h on h.host_id = l.host_id
    join routes as r on r.host_id = l.host_id and r.route_id = l.route_id
    where l.source = ${source} and l.last_us >= ${sinceUs} ${ofHost}`.execute(reader)
  return found.rows.map((row) => ({
    host: row.name,
    scheme: row.scheme,
    method: row.method,
    path: row.path,
    rail: row.rail,
    ...listingOf(row),
    lastUs: Math.max(row.last_us, atUs),
  }))
}

/** How many rows of a source on one host were seen at or after a moment. */
export async function countRowsSince(
  reader: Reader,
  source: string,
  hostId: number,
  sinceUs: TimestampUs,
): Promise<number> {
  const found = await sql<{ n: number }>`select count(*) as n from listings
    where host_id = ${hostId} and source = ${source} and last_us >= ${sinceUs}`.execute(reader)
  return found.rows[0]?.n ?? 0
}

/** Hosts after one, in order of their bytes, each with the scheme to call it by; a page of a walk over all of them. */
export async function hostsAfter(
  reader: Reader,
  after: SellerHost,
  limit: number,
): Promise<{ host: SellerHost; scheme: Scheme }[]> {
  const found = await sql<{ name: SellerHost; secure: number | null }>`select h.name,
      (select 1 from routes as r where r.host_id = h.host_id and r.scheme = 'https' limit 1) as secure
    from hosts as h where h.name > ${after} order by h.name limit ${limit}`.execute(reader)
  return found.rows.map(({ name, secure }) => ({ host: name, scheme: secure === null ? 'http' : 'https' }))
}
