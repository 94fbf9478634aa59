import { hash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { appendLeaves, encodeBundle, hashLeaf, type ReadTile, TILE_WIDTH, utf8 } from '../../src/log/tlog/index.ts'
import { canonical } from '../../src/wire/log/canonical.ts'
import { entryText } from '../../src/wire/log/entry.ts'
import { loggedOf } from '../../src/wire/log/logged-record.ts'
import { hostName, probeOf, probeRecord, ROUTES_PER_HOST, routeOf } from '../rigs/data.ts'
import { interleaved, perSecond, timed } from '../rigs/measure.ts'
import type { BenchContext, BenchRow } from '../row.ts'

const ENTRIES = 20_000
/** As many as a sequencer appends at once. */
const BATCH = 1_000
const ROUNDS = 9
const WARM_UP_ROUNDS = 2

/** Entries of one probe each to tiles and root, without the store, against SHA-256 of the same entries and nothing else. */
export async function rows({ note }: BenchContext): Promise<BenchRow[]> {
  note(`${ENTRIES} entries appended to a tree, ${ROUNDS} rounds`)
  const entries = Array.from({ length: ENTRIES }, (_, n) => utf8(probeEntry(n)))
  const sequenced = () => rateOf(() => sequence(entries))
  const hashed = () => rateOf(() => hashAll(entries))
  await interleaved(WARM_UP_ROUNDS, sequenced, hashed)
  const { measured, limit, ratio } = await interleaved(ROUNDS, sequenced, hashed)
  const own = encodeBundle(entries).length / ENTRIES
  const kept = (packed(entries) + (await sequence(entries))) / ENTRIES
  return [
    {
      what: 'log entries sequenced, without the store',
      measured: perSecond(measured),
      limit: `${perSecond(limit)} bare SHA-256 of the same entries`,
      ratio,
      aim: { atLeast: 0.3 },
    },
    {
      what: 'bytes that the log keeps of a probe: packed entry and hashes',
      measured: `${Math.round(kept)} B`,
      limit: `${Math.round(own)} B of entry and length as served`,
      ratio: kept / own,
      aim: null,
    },
  ]
}

/** What a probe round saves of one route. */
function probeEntry(n: number): string {
  const host = hostName(Math.floor(n / ROUTES_PER_HOST))
  const record = probeRecord(probeOf(routeOf(host, n % ROUTES_PER_HOST), n % ROUTES_PER_HOST, n))
  return entryText({ at: '2026-06-01T00:00:00.000000Z', host, isImported: false }, [canonical(loggedOf(record))])
}

async function rateOf(work: () => unknown): Promise<number> {
  const { ms } = await timed(work)
  return ENTRIES / (ms / 1000)
}

function hashAll(entries: readonly Uint8Array[]): void {
  for (const entry of entries) hash('sha256', entry, 'buffer')
}

/** The bytes of full bundles as the store keeps them. */
function packed(entries: readonly Uint8Array[]): number {
  let bytes = 0
  for (let from = 0; from < entries.length; from += TILE_WIDTH)
    bytes += gzipSync(encodeBundle(entries.slice(from, from + TILE_WIDTH))).length
  return bytes
}

/** Appends all of them; answers the bytes of the tiles, each as it is when it is full or last. */
async function sequence(entries: readonly Uint8Array[]): Promise<number> {
  const tiles = new Map<string, Uint8Array>()
  const readTile: ReadTile = (level, index) => tiles.get(`${level}/${index}`) ?? new Uint8Array(0)
  for (let from = 0; from < entries.length; from += BATCH) {
    const leaves = entries.slice(from, from + BATCH).map((entry) => hashLeaf(entry))
    for (const { level, index, bytes } of (await appendLeaves(readTile, from, leaves)).tiles)
      tiles.set(`${level}/${index}`, bytes)
  }
  return [...tiles.values()].reduce((bytes, tile) => bytes + tile.length, 0)
}
