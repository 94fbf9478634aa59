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

/** Where the entries that were read go, in their order. */
export interface Entries {
  take(text: string, index: number): void
}

interface Bundle {
  readonly entries: readonly Uint8Array[]
  readonly leaves: readonly Uint8Array[]
}

const NO_BYTES = new Uint8Array(0)

/** Follows a log from its beginning: every entry is hashed here, and the tree built from them must be the signed one. */
export class TreeReader {
  readonly #rows = new Map<string, Uint8Array>()
  readonly #verifier: NoteVerifier
  #size = 0

  constructor(
    readonly reading: Reading,
    vkey: string,
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

  /**
   * Reads on up to a checkpoint, and finds out whether it is one of this very log, and whether one that was seen before is
   * of its beginning.
   */
  async readTo({ size, root }: SeenCheckpoint, entries: Entries, seen: SeenCheckpoint | null = null): Promise<void> {
    if (size < this.#size)
      throw new BrokenLogError(`${PATHS.logCheckpoint}: it has ${size} entries, after one with ${this.#size} was seen`)
    let first = Math.floor(this.#size / TILE_WIDTH)
    const last = Math.ceil(size / TILE_WIDTH)
    for (; first < last; first += AHEAD) {
      const indices = Array.from({ length: Math.min(AHEAD, last - first) }, (_, n) => first + n)
      const bundles = new Map<number, Bundle>()
      await inParallel(indices, AT_ONCE, undefined, async (index) => {
        bundles.set(index, await this.#bundle(index, size))
      })
      for (const index of indices) {
        const bundle = bundles.get(index)
        if (bundle !== undefined) await this.#take(index, bundle, entries, seen)
      }
      this.onProgress(this.#size, size)
    }
    if (!equal(await treeHash(this.#tiles, size), root))
      throw new BrokenLogError(
        `${PATHS.logCheckpoint}: the entries give another root than the one that is signed for ${size}`,
      )
  }

  readonly #tiles: ReadTile = (level, index) => this.#rows.get(`${level}/${index}`) ?? NO_BYTES

  async #bundle(index: number, size: number): Promise<Bundle> {
    const width = widthAt('entries', index, size)
    const [bundle, row] = await Promise.all([
      this.reading.tile({ level: 'entries', index, width }),
      this.reading.tile({ level: 0, index, width }),
    ])
    const entries = decoded(bundle, index, width)
    const leaves = entries.map(hashLeaf)
    leaves.forEach((leaf, at) => {
      if (Buffer.compare(leaf, row.subarray(at * HASH, (at + 1) * HASH)) !== 0)
        throw new BrokenLogError(`entry ${index * TILE_WIDTH + at}: its hash is not the one in the tile of the tree`)
    })
    return { entries, leaves }
  }

  async #take(index: number, bundle: Bundle, into: Entries, seen: SeenCheckpoint | null): Promise<void> {
    const start = index * TILE_WIDTH
    const end = start + bundle.entries.length
    const cut = seen !== null && seen.size > this.#size && seen.size <= end ? seen.size : end
    const from = this.#size
    await this.#append(bundle.leaves.slice(from - start, cut - start))
    if (seen !== null && seen.size === this.#size && !equal(await treeHash(this.#tiles, seen.size), seen.root))
      throw new BrokenLogError(
        `the first ${seen.size} entries are others than those of the checkpoint that was seen last`,
      )
    await this.#append(bundle.leaves.slice(cut - start))
    for (let at = from - start; at < bundle.entries.length; at += 1)
      into.take(textOf(bundle.entries[at] ?? NO_BYTES), start + at)
  }

  /** Of full tiles only what the tree grows on is kept: those of the higher levels, which are few. */
  async #append(leaves: readonly Uint8Array[]): Promise<void> {
    if (leaves.length === 0) return
    const grown = await appendLeaves(this.#tiles, this.#size, leaves)
    for (const { level, index, width, bytes } of grown.tiles) {
      if (level === 0 && width === TILE_WIDTH) this.#rows.delete(`0/${index}`)
      else this.#rows.set(`${level}/${index}`, bytes)
    }
    this.#size = grown.size
    await this.#compareTiles(grown.tiles)
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
