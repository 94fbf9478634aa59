import { type ExpressionBuilder, sql } from 'kysely'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Reader, Tables, Writer } from '../../store/schema.ts'
import type { Dialect, Row } from '../../store/sql/dialect.ts'
import type { Store } from '../../store/store.ts'

/** The tree as it is committed. */
export interface TreeHead {
  readonly size: number
  /** In Base 64. */
  readonly root: string
  /** When it last grew. */
  readonly grownUs: TimestampUs
  /** All entries up to this number are in the log or will never be. */
  readonly settledId: number
}

export interface PendingEntry {
  readonly entry_id: number
  readonly body: string
}

export interface StoredTile {
  readonly level: number
  readonly index: number
  /** In Base 64. */
  readonly hashes: string
}

export async function readTreeHead(reader: Reader): Promise<TreeHead> {
  const row = await reader.selectFrom('log_state').selectAll().executeTakeFirstOrThrow()
  return { size: row.size, root: row.root, grownUs: row.grown_us, settledId: row.settled_id }
}

/** Entries with greater numbers that have no place in the log yet, in the order of their numbers. */
export async function pendingEntries(reader: Reader, settledId: number, most: number): Promise<PendingEntry[]> {
  const found = await sql<PendingEntry>`select e.entry_id, e.body from log_entries as e
    where e.entry_id > ${settledId} and coalesce((select r.entry_id + r.n from log_runs as r
      where r.entry_id <= e.entry_id order by r.entry_id desc limit 1), 0) <= e.entry_id
    order by e.entry_id limit ${sql.lit(most)}`.execute(reader)
  return found.rows
}

/** How many entries have no place in the log yet, as far as one looks. */
export async function countPending(reader: Reader, settledId: number, most: number): Promise<number> {
  const found = await sql<{ n: number }>`select count(*) as n from (select e.entry_id from log_entries as e
    where e.entry_id > ${settledId} and coalesce((select r.entry_id + r.n from log_runs as r
      where r.entry_id <= e.entry_id order by r.entry_id desc limit 1), 0) <= e.entry_id limit ${sql.lit(most)}) as p`.execute(
    reader,
  )
  return found.rows[0]?.n ?? 0
}

export interface Lease {
  readonly by: string
  readonly nowUs: TimestampUs
  /** Nobody else makes the tree grow before this time. */
  readonly leaseUntilUs: TimestampUs
}

export interface Grown extends Lease {
  readonly before: TreeHead
  readonly after: Pick<TreeHead, 'size' | 'root' | 'settledId'>
  /** In the order of their places. */
  readonly entryIds: readonly number[]
  readonly tiles: readonly StoredTile[]
}

/** Whether nobody else is at it. One whose lease ends much later than it could has a clock that is ahead, and is not waited for. */
const isFree =
  ({ by, nowUs, leaseUntilUs }: Lease) =>
  (eb: ExpressionBuilder<Tables, 'log_state'>) => {
    const latestUs = leaseUntilUs + (leaseUntilUs - nowUs)
    return eb.or([eb('lease_by', '=', by), eb('lease_until_us', '<=', nowUs), eb('lease_until_us', '>', latestUs)])
  }

/** `false` while somebody else is at it. */
export async function takeLease(writer: Writer, lease: Lease): Promise<boolean> {
  const updated = await writer
    .updateTable('log_state')
    .set({ lease_by: lease.by, lease_until_us: lease.leaseUntilUs })
    .where(isFree(lease))
    .executeTakeFirst()
  return updated.numUpdatedRows > 0n
}

class Overtaken extends Error {}

/**
 * Commits a longer tree: tiles, places and its new head in one transaction, whose number it answers. `null`, and nothing is
 * changed, when it is not the next one after what is stored, or somebody else is at it. So one size never gets two roots,
 * however many try.
 */
export async function saveGrown(store: Store, grown: Grown): Promise<number | null> {
  const { before, after, by, nowUs, leaseUntilUs } = grown
  try {
    return await store.write(async (writer) => {
      const updated = await writer
        .updateTable('log_state')
        .set({
          ...{ size: after.size, root: after.root, settled_id: after.settledId },
          ...{ grown_us: nowUs, lease_by: by, lease_until_us: leaseUntilUs },
        })
        .where('size', '=', before.size)
        .where('root', '=', before.root)
        .where(isFree(grown))
        .executeTakeFirst()
      if (updated.numUpdatedRows === 0n) throw new Overtaken()
      await saveTiles(writer, store.dialect, grown.tiles)
      await saveRuns(writer, store.dialect, before.size, grown.entryIds)
      return store.dialect.writerNumber(writer)
    })
  } catch (error) {
    if (error instanceof Overtaken) return null
    throw error
  }
}

async function saveTiles(writer: Writer, dialect: Dialect, tiles: readonly StoredTile[]): Promise<void> {
  const rows = tiles.map(({ level, index, hashes }): Row => [level, index, hashes])
  await sql`insert into log_tiles (level, n, hashes)
    select level, n, hashes from ${dialect.rows({ level: 'int', n: 'int', hashes: 'text' }, rows)} as v where true
    on conflict (level, n) do update set hashes = excluded.hashes`.execute(writer)
}

interface Run {
  entryId: number
  n: number
  readonly index: number
}

async function saveRuns(writer: Writer, dialect: Dialect, size: number, ids: readonly number[]): Promise<void> {
  const last = await writer.selectFrom('log_runs').selectAll().orderBy('idx', 'desc').limit(1).executeTakeFirst()
  const runs: Run[] = last === undefined ? [] : [{ entryId: last.entry_id, n: last.n, index: last.idx }]
  ids.forEach((id, at) => {
    const run = runs.at(-1)
    if (run !== undefined && run.entryId + run.n === id) run.n += 1
    else runs.push({ entryId: id, n: 1, index: size + at })
  })
  const rows = runs.map(({ entryId, n, index }): Row => [entryId, n, index])
  await sql`insert into log_runs (entry_id, n, idx)
    select entry_id, n, idx from ${dialect.rows({ entry_id: 'int', n: 'int', idx: 'int' }, rows)} as v where true
    on conflict (entry_id) do update set n = excluded.n`.execute(writer)
}

/** The stored row of a tile; `undefined` where there is none. */
export async function readTileHashes(reader: Reader, level: number, index: number): Promise<string | undefined> {
  const row = await reader
    .selectFrom('log_tiles')
    .select('hashes')
    .where('level', '=', level)
    .where('n', '=', index)
    .executeTakeFirst()
  return row?.hashes
}

export interface StoredCosignature {
  readonly witness: string
  readonly size: number
  readonly line: string
  readonly atUs: TimestampUs
}

/** No witness has this name: its row says up to which size checkpoints were served. */
const SERVED = ''

export async function readCosignatures(reader: Reader): Promise<StoredCosignature[]> {
  const cosignatures = reader.selectFrom('log_cosignatures').selectAll().where('witness', '<>', SERVED)
  const rows = await cosignatures.orderBy('witness').execute()
  return rows.map(({ witness, size, line, at_us }) => ({ witness, size, line, atUs: at_us }))
}

/** The size of the longest checkpoint that any process has served. */
export async function readServed(reader: Reader): Promise<number> {
  const served = reader.selectFrom('log_cosignatures').select('size').where('witness', '=', SERVED)
  return (await served.executeTakeFirst())?.size ?? 0
}

/** Before it is served: no process serves a shorter one from here on. */
export const saveServed = (store: Store, size: number, atUs: TimestampUs): Promise<void> =>
  saveCosignatures(store, [{ witness: SERVED, size, line: '', atUs }])

/** Keeps each witness's newest cosignature, all of them at once: those of one checkpoint are shown together. */
export const saveCosignatures = (store: Store, cosignatures: readonly StoredCosignature[]): Promise<void> =>
  store.write(async (writer) => {
    for (const { witness, size, line, atUs } of cosignatures)
      await writer
        .insertInto('log_cosignatures')
        .values({ witness, size, line, at_us: atUs })
        .onConflict((conflict) =>
          conflict
            .column('witness')
            .doUpdateSet({ size, line, at_us: atUs })
            .where('log_cosignatures.size', '<=', size),
        )
        .execute()
  })
