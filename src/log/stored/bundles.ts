import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { sql } from 'kysely'
import type { Reader } from '../../store/schema.ts'
import type { Row } from '../../store/sql/dialect.ts'
import { logIndexOf } from '../../store/sql/log-index.ts'
import type { Store } from '../../store/store.ts'
import { decodeBundle, encodeBundle, LONGEST_ENTRY, TILE_WIDTH, utf8 } from '../tlog/index.ts'
import { type Lease, takeLease } from './tree.ts'

const pack = promisify(gzip)
const unpack = promisify(gunzip)

/** Bundles that one transaction packs. */
const MOST = 4

interface Placed {
  readonly idx: number
  readonly entry_id: number
  readonly body: string
}

/** Entries that are not packed, of so many places from one on, in their order. */
async function unpackedPlaces(reader: Reader, from: number, n: number): Promise<Placed[]> {
  const found = await sql<Placed>`select r.idx + e.entry_id - r.entry_id as idx, e.entry_id, e.body from log_runs as r
    join log_entries as e on e.entry_id >= r.entry_id + case when r.idx < ${from} then ${from} - r.idx else 0 end
      and e.entry_id < r.entry_id + case when r.idx + r.n > ${from + n} then ${from + n} - r.idx else r.n end
    where r.idx < ${from + n} and r.idx >= (select max(s.idx) from log_runs as s where s.idx <= ${from})
    order by r.idx, e.entry_id`.execute(reader)
  return found.rows
}

/** A bundle of 256 entries as it is served, in gzip; `undefined` while it is not packed. */
export async function readPacked(reader: Reader, index: number): Promise<Uint8Array | undefined> {
  const row = await reader.selectFrom('log_bundles').select('body').where('n', '=', index).executeTakeFirst()
  return row?.body
}

export const unpackBundle = (packed: Uint8Array): Promise<Uint8Array> => unpack(packed)

/** The entries of so many places from one on, in their order; fewer where the next one cannot be found. */
export async function readPlaces(reader: Reader, from: number, n: number): Promise<string[]> {
  // What is not here any more is packed by now: never the other way round.
  const unpacked = new Map((await unpackedPlaces(reader, from, n)).map(({ idx, body }) => [idx, body]))
  const entries: string[] = []
  while (entries.length < n) {
    const at = from + entries.length
    const body = unpacked.get(at)
    if (body !== undefined) {
      entries.push(body)
      continue
    }
    const index = Math.floor(at / TILE_WIDTH)
    const packed = await readPacked(reader, index)
    // Not that far yet; or the two were read from two servers, of which one is behind.
    if (packed === undefined) return entries
    const bodies = decodeBundle(await unpackBundle(packed), TILE_WIDTH)
    const first = index * TILE_WIDTH
    for (const body of bodies.slice(at - first, from + n - first)) entries.push(Buffer.from(body).toString())
  }
  return entries
}

/** Whether a bundle has room for an entry; only versions before this one sequenced any that it has not. */
export const fitsBundle = (body: string): boolean => Buffer.byteLength(body) <= LONGEST_ENTRY

/** An entry that no bundle has room for. */
export interface OversizedEntry {
  readonly bytes: number
  /** Its place in the log; `null`: it has none, and gets none. */
  readonly index: number | null
}

export async function oversizedEntries(reader: Reader): Promise<OversizedEntry[]> {
  const found = await sql<{ bytes: number; log_index: number | null }>`select octet_length(e.body) as bytes,
      ${logIndexOf('e.entry_id')} as log_index
    from log_entries as e where octet_length(e.body) > ${sql.lit(LONGEST_ENTRY)} order by e.entry_id`.execute(reader)
  return found.rows.map(({ bytes, log_index }) => ({ bytes, index: log_index }))
}

/** How many bundles are packed: all from the first on, but those that an entry is too long for. */
export async function countPacked(reader: Reader): Promise<number> {
  const newest = await reader.selectFrom('log_bundles').select('n').orderBy('n', 'desc').limit(1).executeTakeFirst()
  return newest === undefined ? 0 : newest.n + 1
}

export interface Packing extends Lease {
  /** Bundles that are packed already, or cannot be. */
  readonly packed: number
  /** Entries of the log. */
  readonly size: number
}

/**
 * Compresses the next full bundles and removes their entries; answers how many are packed by then. What it leaves are the
 * same bytes whoever does it, so nothing is lost or said twice however often it is cut short. A bundle that an entry is too
 * long for stays as it is.
 */
export async function packBundles(store: Store, { packed, size, ...lease }: Packing): Promise<number> {
  const end = Math.min(Math.floor(size / TILE_WIDTH), packed + MOST)
  if (end <= packed) return packed
  const bundles = await Promise.all(
    Array.from({ length: end - packed }, async (_, n) => {
      const index = packed + n
      const entries = await unpackedPlaces(store.read, index * TILE_WIDTH, TILE_WIDTH)
      const fits = entries.every(({ body }) => fitsBundle(body))
      return { index, entries, body: fits ? await pack(encodeBundle(entries.map(({ body }) => utf8(body)))) : null }
    }),
  )
  // Somebody else has packed them meanwhile.
  if (bundles.some(({ entries }) => entries.length < TILE_WIDTH)) return Math.max(packed, await countPacked(store.read))
  const whole = bundles.flatMap(({ body, ...bundle }) => (body === null ? [] : [{ ...bundle, body }]))
  if (whole.length === 0) return end
  const isPacked = await store.write(async (writer) => {
    if (!(await takeLease(writer, lease)) || (await countPacked(writer)) > packed) return false
    for (const { index, body } of whole) await writer.insertInto('log_bundles').values({ n: index, body }).execute()
    const ids = whole.flatMap(({ entries }) => entries.map(({ entry_id }): Row => [entry_id]))
    await sql`delete from log_entries where entry_id in
      (select v.entry_id from ${store.dialect.rows({ entry_id: 'int' }, ids)} as v)`.execute(writer)
    return true
  })
  return isPacked ? end : packed
}
