import { concat } from './bytes.ts'
import { MalformedError } from './errors.ts'
import { EMPTY_ROOT, HASH, hashChildren, rootOfRow } from './hash.ts'
import { hashesAt, TILE_WIDTH, widthAt } from './tile.ts'

const FULL_ROW = TILE_WIDTH * HASH

/**
 * Where tiles come from: the row of a tile that has at least `width` hashes. A longer row, such as that of the full tile,
 * does as well, since a tile only ever grows at its end.
 */
export type ReadTile = (level: number, index: number, width: number) => Uint8Array | Promise<Uint8Array>

/** A tile to be stored: what of it was there before is unchanged at its beginning. */
export interface Tile {
  readonly level: number
  readonly index: number
  readonly width: number
  readonly bytes: Uint8Array
}

/** Leaves from `from` up to, not with, `to`. */
export interface LeafRange {
  readonly from: number
  readonly to: number
}

/** The largest power of two that is smaller than `count`: where RFC 6962 cuts a tree in two. */
export function cutOf(count: number): number {
  let cut = 1
  while (cut * 2 < count) cut *= 2
  return cut
}

const isPowerOfTwo = (count: number): boolean => count > 0 && (count === 1 || cutOf(count) * 2 === count)

/** The hashes of a tree of one size. A tile is read once, whatever is asked of it. */
export class TileTree {
  readonly #tiles = new Map<string, Promise<Uint8Array>>()

  constructor(
    readonly readTile: ReadTile,
    readonly size: number,
  ) {}

  root(): Promise<Uint8Array> {
    return this.size === 0 ? Promise.resolve(EMPTY_ROOT) : this.rangeHash({ from: 0, to: this.size })
  }

  /** The hash of a range that RFC 6962 cuts out of the tree. */
  async rangeHash({ from, to }: LeafRange): Promise<Uint8Array> {
    const count = to - from
    if (isPowerOfTwo(count)) return this.#subtreeHash(from, count)
    const cut = from + cutOf(count)
    const [left, right] = await Promise.all([this.#subtreeHash(from, cut - from), this.rangeHash({ from: cut, to })])
    return hashChildren(left, right)
  }

  /** The hash over 2^k leaves, all of which the tree has: the root over a part of one tile's row. */
  async #subtreeHash(from: number, count: number): Promise<Uint8Array> {
    let level = 0
    let across = count
    while (across >= TILE_WIDTH) {
      level++
      across /= TILE_WIDTH
    }
    const first = from / TILE_WIDTH ** level
    const index = Math.floor(first / TILE_WIDTH)
    const row = await this.#row(level, index)
    const at = (first - index * TILE_WIDTH) * HASH
    return rootOfRow(row.subarray(at, at + across * HASH))
  }

  #row(level: number, index: number): Promise<Uint8Array> {
    const key = `${level}/${index}`
    const known = this.#tiles.get(key)
    if (known !== undefined) return known
    const reading = readRow(this.readTile, level, index, widthAt(level, index, this.size))
    this.#tiles.set(key, reading)
    return reading
  }
}

async function readRow(readTile: ReadTile, level: number, index: number, width: number): Promise<Uint8Array> {
  const row = await readTile(level, index, width)
  if (row.length < width * HASH || row.length % HASH !== 0 || row.length > FULL_ROW)
    throw new MalformedError(`tile ${index} of level ${level} has ${row.length} bytes, not ${width * HASH}`)
  return row.subarray(0, width * HASH)
}

/** The root of the tree that the tiles hold. */
export const treeHash = (readTile: ReadTile, size: number): Promise<Uint8Array> => new TileTree(readTile, size).root()

export interface Growth {
  readonly size: number
  readonly root: Uint8Array
  /** Every tile that is new or wider than before, as it is now. */
  readonly tiles: Tile[]
}

/** What becomes of a tree when leaves are appended. Of the old tree only its rightmost tiles are read. */
export async function appendLeaves(
  readTile: ReadTile,
  oldSize: number,
  leafHashes: readonly Uint8Array[],
): Promise<Growth> {
  const tiles: Tile[] = []
  let fresh = concat(leafHashes)
  for (let level = 0; fresh.length > 0; level++) {
    const count = hashesAt(level, oldSize)
    const first = Math.floor(count / TILE_WIDTH)
    const taken = count % TILE_WIDTH
    const start = taken === 0 ? new Uint8Array(0) : await readRow(readTile, level, first, taken)
    const row = concat([start, fresh])
    const roots: Uint8Array[] = []
    for (let at = 0; at < row.length; at += FULL_ROW) {
      const bytes = row.slice(at, at + FULL_ROW)
      tiles.push({ level, index: first + at / FULL_ROW, width: bytes.length / HASH, bytes })
      if (bytes.length === FULL_ROW) roots.push(rootOfRow(bytes))
    }
    fresh = concat(roots)
  }
  const size = oldSize + leafHashes.length
  return { size, root: await treeHash(overlaid(readTile, tiles), size), tiles }
}

/** Reads the given tiles as they are, all others where they come from. */
export function overlaid(readTile: ReadTile, tiles: readonly Tile[]): ReadTile {
  const known = new Map(tiles.map((tile) => [`${tile.level}/${tile.index}`, tile.bytes]))
  return (level, index, width) => known.get(`${level}/${index}`) ?? readTile(level, index, width)
}
