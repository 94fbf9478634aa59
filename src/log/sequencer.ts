import { sleep } from '../async/sleep.ts'
import type { TimestampUs } from '../domain/time/timestamp.ts'
import type { Store } from '../store/store.ts'
import { countPacked, fitsBundle, packBundles } from './stored/bundles.ts'
import {
  type PendingEntry,
  pendingEntries,
  readTileHashes,
  readTreeHead,
  saveGrown,
  type TreeHead,
} from './stored/tree.ts'
import { appendLeaves, fromBase64, hashLeaf, type ReadTile, TILE_WIDTH, toBase64, utf8 } from './tlog/index.ts'

/** Entries that one transaction appends. */
const BATCH = 1000
/** So often it looks for something to append. */
const LOOK_MS = 500
/** A long log that nobody has packed is no reason to keep others from writing. */
const PACK_MS = 20
/** A sequencer that has died is waited for so long. */
const LEASE_US = 10_000_000

export interface SequencerOptions {
  readonly store: Store
  /** How this program names itself. */
  readonly by: string
  readonly nowUs: () => TimestampUs
  /** Asked before the tree grows: a store that is older than what was published from it must not. */
  readonly mayGrow: () => Promise<boolean>
  readonly onGrown?: (head: Pick<TreeHead, 'size'>) => void
  readonly onTrouble: (error: unknown) => void
}

/** The tiles that the store has. */
export const storedTiles =
  ({ read }: Store): ReadTile =>
  async (level, index) => {
    const hashes = await readTileHashes(read, level, index)
    return hashes === undefined ? new Uint8Array(0) : fromBase64(hashes)
  }

/** Numbers up to `entryId` were appended by this transaction: only those before it can still bring smaller ones. */
interface Mark {
  readonly entryId: number
  readonly writer: number
}

/**
 * Takes entries out of the outbox and appends them to the tree. Any number of programs may run one: whoever commits first is
 * at it until its lease ends, and a tree that is not the next one after what is stored is never committed.
 */
export class Sequencer {
  readonly #options: SequencerOptions
  #marks: Mark[] = []
  /** Nothing up to this number comes any more. */
  #endedId = -1
  #packed: number | null = null
  /** Entries that were told of once. */
  readonly #leftOut = new Set<number>()
  /** Once a start, when all is packed and few entries are left to look at: an earlier version may have passed some over. */
  #looksBack: 'not yet' | 'now' | 'done' = 'not yet'

  constructor(options: SequencerOptions) {
    this.#options = options
  }

  /** Until it is told to stop. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      let rest = LOOK_MS
      try {
        const appended = await this.step()
        const isPacking = await this.pack()
        if (appended === BATCH) continue
        if (isPacking) rest = PACK_MS
      } catch (error) {
        this.#options.onTrouble(error)
      }
      await sleep(rest, signal)
    }
  }

  /** Appends what waits, a batch at most; answers how many entries that was. */
  async step(): Promise<number> {
    const { store, by, nowUs, mayGrow, onGrown } = this.#options
    // Before entries are read: what has ended by now is among them.
    const oldest = await store.dialect.oldestWriter(store.read)
    const before = await readTreeHead(store.read)
    const pending = await pendingEntries(store.read, this.#looksBack === 'now' ? -1 : before.settledId, BATCH)
    const entries = pending.filter((entry) => this.#fits(entry))
    const lastId = entries.at(-1)?.entry_id
    const settledId = Math.max(before.settledId, this.#settled(pending, oldest))
    if (lastId === undefined) this.#lookedBack()
    if (lastId === undefined || !(await mayGrow())) return 0
    const grown = await appendLeaves(
      storedTiles(store),
      before.size,
      entries.map(({ body }) => hashLeaf(utf8(body))),
    )
    const at = nowUs()
    const writer = await saveGrown(store, {
      ...{ by, nowUs: at, leaseUntilUs: at + LEASE_US, before },
      after: { size: grown.size, root: toBase64(grown.root), settledId },
      entryIds: entries.map(({ entry_id }) => entry_id),
      tiles: grown.tiles.map(({ level, index, bytes }) => ({ level, index, hashes: toBase64(bytes) })),
    })
    if (writer === null) return 0
    if (oldest !== null) this.#marks.push({ entryId: lastId, writer })
    if (pending.length < BATCH) this.#lookedBack()
    onGrown?.({ size: grown.size })
    return entries.length
  }

  /** What no bundle has room for never gets a place: whoever reads the log could read no entry beside it either. */
  #fits({ entry_id, body }: PendingEntry): boolean {
    if (fitsBundle(body)) return true
    if (!this.#leftOut.has(entry_id))
      this.#options.onTrouble(new Error(`an entry of ${Buffer.byteLength(body)} bytes is left out: no bundle holds it`))
    this.#leftOut.add(entry_id)
    return false
  }

  /** Compresses entries that have found their place for good, some at most; answers whether there were any. */
  async pack(): Promise<boolean> {
    const { store, by, nowUs } = this.#options
    const packed = this.#packed ?? (await countPacked(store.read))
    const { size } = await readTreeHead(store.read)
    const at = nowUs()
    this.#packed = await packBundles(store, { ...{ by, nowUs: at, leaseUntilUs: at + LEASE_US }, packed, size })
    const isAllPacked = size - this.#packed * TILE_WIDTH < TILE_WIDTH
    if (isAllPacked && this.#looksBack === 'not yet') this.#looksBack = 'now'
    return this.#packed > packed
  }

  /** Nothing was left, or all of it was appended. */
  #lookedBack(): void {
    if (this.#looksBack === 'now') this.#looksBack = 'done'
  }

  /**
   * Up to which number nothing can come any more once these entries are appended. Numbers become visible out of order
   * where transactions run beside each other, so a number counts only when all transactions have ended that are older
   * than the one which appended it.
   */
  #settled(entries: readonly PendingEntry[], oldest: number | null): number {
    const lastId = entries.at(-1)?.entry_id ?? -1
    if (oldest === null) return lastId
    const isEnded = ({ writer }: Mark): boolean => writer <= oldest
    for (const { entryId } of this.#marks.filter(isEnded)) this.#endedId = Math.max(this.#endedId, entryId)
    this.#marks = this.#marks.filter((mark) => !isEnded(mark))
    // A batch that was cut short says nothing of what comes after it.
    return entries.length < BATCH ? this.#endedId : Math.min(this.#endedId, lastId)
  }
}
