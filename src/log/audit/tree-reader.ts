import { inParallel } from '../../async/in-parallel.ts'
import { PATHS } from '../../wire/paths.ts'
import {
  appendLeaves,
  decodeBundle,
  equal,
  HASH,
  hashLeaf,
  MalformedError,
  type NoteVerifier,
  newVerifier,
  type OpenedCheckpoint,
  openCheckpoint,
  type ReadTile,
  TILE_WIDTH,
  textOf,
  treeHash,
  UntrustedError,
  widthAt,
} from '../tlog/index.ts'
import type { Reading } from './reading.ts'

/** The log is not what it says that it is; where, and how that is seen. */
export class BrokenLogError extends Error {
  override readonly name = 'BrokenLogError'
}

const AT_ONCE = 8
/** Bundles that are held in memory before they are looked at, in their order. */
const AHEAD = 64

/** A checkpoint that was seen before. */
export interface SeenCheckpoint {
  readonly size: number
  readonly root: Uint8Array
}

/** Follows a log from its beginning: every entry is hashed here, and the tree built from them must be the signed one. */
export class TreeReader {
  readonly #rows = new Map<string, Uint8Array>()
  readonly #verifier: NoteVerifier
  #size = 0

  constructor(
    readonly reading: Reading,
    vkey: string,
    readonly onEntry: (text: string, index: number) => void,
    readonly onProgress: (entries: number, of: number) => void = () => undefined,
  ) {
    this.#verifier = newVerifier(vkey)
  }

  get size(): number {
    return this.#size
  }

  /** The newest checkpoint of the server, with its signature checked. */
  async checkpoint(): Promise<OpenedCheckpoint & { readonly note: string }> {
    const note = await this.reading.text(PATHS.logCheckpoint)
    try {
      return { ...(await openCheckpoint(note, this.#verifier)), note }
    } catch (error) {
      if (error instanceof UntrustedError || error instanceof MalformedError)
        throw new BrokenLogError(`${PATHS.logCheckpoint}: ${error.message}`)
      throw error
    }
  }

  /** Reads on up to a checkpoint, and finds out whether it is one of this very log. */
  async readTo({ size, root }: SeenCheckpoint): Promise<void> {
    if (size < this.#size)
      throw new BrokenLogError(`${PATHS.logCheckpoint}: it has ${size} entries, after one with ${this.#size} was seen`)
    let first = Math.floor(this.#size / TILE_WIDTH)
    const last = Math.ceil(size / TILE_WIDTH)
    for (; first < last; first += AHEAD) {
      const indices = Array.from({ length: Math.min(AHEAD, last - first) }, (_, n) => first + n)
      const bundles = new Map<number, readonly Uint8Array[]>()
      await inParallel(indices, AT_ONCE, undefined, async (index) => {
        bundles.set(index, await this.#bundle(index, size))
      })
      for (const index of indices) await this.#take(index, bundles.get(index) ?? [])
      this.onProgress(this.#size, size)
    }
    if (!equal(await treeHash(this.#tiles, size), root))
      throw new BrokenLogError(
        `${PATHS.logCheckpoint}: the entries give another root than the one that is signed for ${size}`,
      )
  }

  /** Whether a checkpoint that was seen before is of the beginning of what was read. */
  async beginsWith(seen: SeenCheckpoint): Promise<boolean> {
    return seen.size <= this.#size && equal(await treeHash(this.#tiles, seen.size), seen.root)
  }

  readonly #tiles: ReadTile = (level, index) => this.#rows.get(`${level}/${index}`) ?? new Uint8Array(0)

  async #bundle(index: number, size: number): Promise<readonly Uint8Array[]> {
    const width = widthAt('entries', index, size)
    const [bundle, row] = await Promise.all([
      this.reading.tile({ level: 'entries', index, width }),
      this.reading.tile({ level: 0, index, width }),
    ])
    const entries = decoded(bundle, index, width)
    entries.forEach((entry, at) => {
      if (!equal(hashLeaf(entry), row.subarray(at * HASH, (at + 1) * HASH)))
        throw new BrokenLogError(`entry ${index * TILE_WIDTH + at}: its hash is not the one in the tile of the tree`)
    })
    return entries
  }

  async #take(bundle: number, entries: readonly Uint8Array[]): Promise<void> {
    const fresh = entries.slice(this.#size - bundle * TILE_WIDTH)
    const from = this.#size
    const grown = await appendLeaves(this.#tiles, from, fresh.map(hashLeaf))
    for (const { level, index, bytes } of grown.tiles) this.#rows.set(`${level}/${index}`, bytes)
    this.#size = grown.size
    await this.#compareTiles(grown.tiles)
    fresh.forEach((entry, at) => {
      this.onEntry(textOf(entry), from + at)
    })
  }

  /** Full tiles of the higher levels are looked at too: others build their proofs from them. */
  async #compareTiles(
    tiles: readonly { level: number; index: number; width: number; bytes: Uint8Array }[],
  ): Promise<void> {
    for (const { level, index, width, bytes } of tiles) {
      if (level === 0 || width < TILE_WIDTH) continue
      if (!equal(await this.reading.tile({ level, index, width }), bytes))
        throw new BrokenLogError(`tile ${index} of level ${level}: it is not the one that the entries give`)
    }
  }
}

function decoded(bundle: Uint8Array, index: number, width: number): Uint8Array[] {
  try {
    return decodeBundle(bundle, width)
  } catch (error) {
    if (error instanceof MalformedError) throw new BrokenLogError(`bundle ${index}: ${error.message}`)
    throw error
  }
}
