import { join } from 'node:path'
import type { Problem } from '../domain/problem.ts'
import { problem } from '../domain/problem-kinds.ts'
import type { TimestampUs } from '../domain/time/timestamp.ts'
import type { Store } from '../store/store.ts'
import { fillPath, PATHS } from '../wire/paths.ts'
import { PUBLISHED_FILE } from './key.ts'
import { Published } from './published.ts'
import { storedTiles } from './sequencer.ts'
import { type Checkpoint, Serving } from './served.ts'
import { fitsBundle, readPacked, readPlaces, unpackBundle } from './stored/bundles.ts'
import { countHistory } from './stored/history.ts'
import { readKey, sayKey } from './stored/keys.ts'
import { readCosignatures, readTreeHead, type StoredCosignature, type TreeHead } from './stored/tree.ts'
import {
  encodeBundle,
  formatCheckpoint,
  formatProof,
  fromBase64,
  HASH,
  inclusionProof,
  LONGEST_ENTRY,
  type NoteSigner,
  newSigner,
  newVerifier,
  signNote,
  TILE_WIDTH,
  type TileAddress,
  toBase64,
  treeHash,
  utf8,
  widthAt,
} from './tlog/index.ts'

export interface EvidenceLogOptions {
  readonly store: Store
  /** `null`: the log is not set up, and nothing is signed. */
  readonly seed: Uint8Array | null
  readonly origin: string
  /** Where the newest signed checkpoint is kept; `null`: only in memory. */
  readonly folder: string | null
  /** Names of the witnesses that are asked; none: whoever asks is served the newest head. */
  readonly witnesses?: readonly string[]
  readonly nowUs?: () => TimestampUs
}

/** What `/log` says. */
export interface LogStatus {
  readonly origin: string
  readonly vkey: string
  readonly size: number
  /** In Base 64. */
  readonly root: string
  /** When it last grew; `null`: never. */
  readonly grownUs: TimestampUs | null
  readonly cosignatures: readonly StoredCosignature[]
  /** Why nothing is signed any more; `null` while all is well. */
  readonly fault: string | null
  /** Hosts whose evidence from before there was a log is still to be logged. */
  readonly historyLeft: number
}

interface Tree {
  readonly size: number
  readonly root: Uint8Array
}

interface SignedHead extends TreeHead {
  readonly note: string
}

/** An earlier version sequenced it, and its hash is signed: neither can it be taken back nor cut. */
const unservable = (index: number, bytes: number): Problem =>
  problem(
    'not-found',
    `Entry ${index} of this log has ${bytes} bytes and a bundle holds ${LONGEST_ENTRY}, so there is no bundle with it.`,
    {
      hint: `All other bundles, the tiles and ${fillPath(PATHS.logProof, { index: String(index) })} are there. The operator is to begin a new log.`,
    },
  )

/** The log over a store: what is committed in it, signed. Any number of programs with the same key say the same. */
export class EvidenceLog {
  #signed: SignedHead | null = null
  #fault: string | null = null
  /** Why the newest head could not be kept; what was kept before is served until it can. */
  #unkept: unknown = null
  /** The store knows that this key signs its log. */
  #isSaid = false

  private constructor(
    readonly store: Store,
    readonly origin: string,
    readonly signer: NoteSigner,
    readonly published: Published,
    /** `null` where no witness is asked. */
    readonly serving: Serving | null,
  ) {}

  /** `null` while there is no key. */
  static async open(options: EvidenceLogOptions): Promise<EvidenceLog | null> {
    const { store, seed, origin, folder, witnesses = [], nowUs = () => Date.now() * 1000 } = options
    if (seed === null) return null
    const signer = await newSigner(seed, origin)
    const file = folder === null ? null : join(folder, PUBLISHED_FILE)
    const published = await Published.open(file, newVerifier(signer.vkey))
    const serving = witnesses.length === 0 ? null : new Serving({ store, witnesses: new Set(witnesses), nowUs })
    return new EvidenceLog(store, origin, signer, published, serving)
  }

  get vkey(): string {
    return this.signer.vkey
  }

  /** Why nothing is signed any more; `null` while all is well. */
  get fault(): string | null {
    return this.#fault
  }

  /** Why the newest head is not published; `null` while it is. Names no place of this machine: anybody may read it. */
  get unpublished(): string | null {
    if (this.#fault !== null || this.#unkept === null) return this.#fault
    const code = this.#unkept instanceof Error && 'code' in this.#unkept ? String(this.#unkept.code) : 'unknown reason'
    return `${PUBLISHED_FILE} cannot be written (${code})`
  }

  /** Signs what is committed and keeps it, whether anybody asks or not. */
  async publish(): Promise<void> {
    await this.#sign()
  }

  /** Nobody can show that this tree is longer than what was published: a witness knows of a longer one. */
  refuse(reason: string): void {
    this.#fault ??= reason
  }

  /** Whether what is stored goes on from what was published. */
  async mayGrow(): Promise<boolean> {
    if (this.#fault !== null || (await this.#sign()) === null) return false
    if (this.#unkept !== null) throw this.#unkept
    if (!this.#isSaid) await sayKey(this.store, this.vkey)
    this.#isSaid = true
    return true
  }

  /** Why the tree of the store must not be signed with this key; `undefined` while all is well. */
  async #faultOf(tree: Tree, published: Tree | null): Promise<string | undefined> {
    const known = await readKey(this.store.read, this.vkey)
    if (known !== undefined && known.size !== null)
      return `this store was restored from records, and its key has signed another log, of ${known.size} entries and more: set a new LOG_KEY`
    return this.published.faultOf(tree, storedTiles(this.store), published)
  }

  /**
   * The committed head, signed: only what is committed is ever signed, and Ed25519 gives the same signature for the same
   * head every time. Where it cannot be kept, the head that was kept last: that one is its beginning. `null`: it must not be
   * signed, and `fault` says why.
   */
  async #sign(): Promise<SignedHead | null> {
    if (this.#fault !== null) return null
    // Before the head is read: calls overtake each other, and what another one publishes meanwhile may be longer.
    const { last: before } = this.published
    const head = await readTreeHead(this.store.read)
    if (this.#signed?.size === head.size && this.#signed.root === head.root) return this.#signed
    const tree = { size: head.size, root: fromBase64(head.root) }
    const fault = await this.#faultOf(tree, before)
    if (fault !== undefined) {
      this.#fault = fault
      return null
    }
    const note = await this.#noteOf(tree)
    try {
      this.published.keep(tree, note)
      this.#unkept = null
    } catch (error) {
      this.#unkept = error
      const { last } = this.published
      if (last === null) throw error
      return { ...head, size: last.size, root: toBase64(last.root), note: await this.#noteOf(last) }
    }
    if (this.#signed === null || this.#signed.size <= head.size) this.#signed = { ...head, note }
    return this.#signed
  }

  #noteOf(tree: Tree): Promise<string> {
    return signNote(formatCheckpoint({ origin: this.origin, ...tree }), this.signer)
  }

  /** Why the log would not be signed; nothing is. */
  async look(): Promise<string | null> {
    const { last } = this.published
    const head = await readTreeHead(this.store.read)
    const tree = { size: head.size, root: fromBase64(head.root) }
    return (await this.#faultOf(tree, last)) ?? null
  }

  /** The newest signed head, with the cosignatures that witnesses gave to it; `null`: nothing is signed any more. */
  async newest(): Promise<Checkpoint | null> {
    const signed = await this.#sign()
    if (signed === null) return null
    const cosigned = (await readCosignatures(this.store.read)).filter(({ size }) => size === signed.size)
    return { size: signed.size, note: `${signed.note}${cosigned.map(({ line }) => line).join('')}` }
  }

  /** The one that is served: where witnesses are asked, they are given the time to cosign it. */
  async checkpoint(): Promise<Checkpoint | null> {
    if (this.serving === null) return this.newest()
    const signed = await this.#sign()
    if (signed === null) return null
    return this.serving.choose(signed.size, async (size) =>
      size === signed.size ? signed.note : this.#noteOf({ size, root: await treeHash(storedTiles(this.store), size) }),
    )
  }

  async status(): Promise<LogStatus> {
    const head = (await this.#sign()) ?? (await readTreeHead(this.store.read))
    return {
      origin: this.origin,
      vkey: this.vkey,
      size: head.size,
      root: head.root,
      grownUs: head.grownUs === 0 ? null : head.grownUs,
      cosignatures: await readCosignatures(this.store.read),
      fault: this.#fault,
      historyLeft: await countHistory(this.store.read),
    }
  }

  /** The bytes of a tile or bundle; `undefined` where the tree does not have it as wide yet. */
  async tile({ level, index, width }: TileAddress): Promise<Uint8Array | undefined> {
    const { size } = await readTreeHead(this.store.read)
    if (widthAt(level, index, size) < width) return undefined
    if (level === 'entries') {
      const packed = width === TILE_WIDTH ? await readPacked(this.store.read, index) : undefined
      if (packed !== undefined) return unpackBundle(packed)
      const entries = await readPlaces(this.store.read, index * TILE_WIDTH, width)
      const long = entries.find((entry) => !fitsBundle(entry))
      if (long !== undefined) throw unservable(index * TILE_WIDTH + entries.indexOf(long), Buffer.byteLength(long))
      // It is kept for ever by whoever asked: rather none than less than all of it.
      return entries.length < width ? undefined : encodeBundle(entries.map(utf8))
    }
    const row = await storedTiles(this.store)(level, index, width)
    return row.subarray(0, width * HASH)
  }

  /** A bundle in gzip, as it is kept; `undefined` where it is not kept so. */
  async packed({ level, index, width }: TileAddress): Promise<Uint8Array | undefined> {
    return level === 'entries' && width === TILE_WIDTH ? readPacked(this.store.read, index) : undefined
  }

  /**
   * That an entry is in the log, to be checked without asking anybody; `undefined`: the log has no such entry yet. Of an
   * entry that is too new for the checkpoint that is served, by the newest.
   */
  async proof(index: number): Promise<string | undefined> {
    const served = await this.checkpoint()
    const checkpoint = served !== null && index < served.size ? served : await this.newest()
    if (checkpoint === null || index >= checkpoint.size) return undefined
    const hashes = await inclusionProof(storedTiles(this.store), index, checkpoint.size)
    return formatProof({ index, hashes, checkpoint: checkpoint.note })
  }

  /** An entry as it was logged. */
  async entry(index: number): Promise<string | undefined> {
    const { size } = await readTreeHead(this.store.read)
    return index < size ? (await readPlaces(this.store.read, index, 1))[0] : undefined
  }
}
