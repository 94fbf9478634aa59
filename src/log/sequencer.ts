import { sleep } from '../async/sleep.ts'
import type { TimestampUs } from '../domain/time/timestamp.ts'
import type { Store } from '../store/store.ts'
import { countPacked, packBundles } from './stored/bundles.ts'
import {
  type PendingEntry,
  pendingEntries,
  readTileHashes,
  readTreeHead,
  saveGrown,
  type TreeHead,
} from './stored/tree.ts'
import { appendLeaves, fromBase64, hashLeaf, type ReadTile, toBase64, utf8 } from './tlog/index.ts'

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

/** Numbers up to `entryId` were seen while transactions before `next` could still bring smaller ones. */
interface Mark {
  readonly entryId: number
  readonly next: number
}

/**
 * Takes entries out of the outbox and appends them to the tree. Any number of programs may run one: whoever commits first is
 * at it until its lease ends, and a tree that is not the next one after what is stored is never committed.
 */
export class Sequencer {
  readonly #options: SequencerOptions
  #marks: Mark[] = []
  #seenId = -1
  #packed: number | null = null

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
    const underWay = await store.dialect.underWay(store.read)
    const before = await readTreeHead(store.read)
    const entries = await pendingEntries(store.read, before.settledId, BATCH)
    const lastId = entries.at(-1)?.entry_id
    const settledId = Math.max(before.settledId, this.#settled(entries, underWay))
    if (lastId === undefined || !(await mayGrow())) return 0
    const grown = await appendLeaves(
      storedTiles(store),
      before.size,
      entries.map(({ body }) => hashLeaf(utf8(body))),
    )
    const at = nowUs()
    const isSaved = await saveGrown(store, {
      ...{ by, nowUs: at, leaseUntilUs: at + LEASE_US, before },
      after: { size: grown.size, root: toBase64(grown.root), settledId },
      entryIds: entries.map(({ entry_id }) => entry_id),
      tiles: grown.tiles.map(({ level, index, bytes }) => ({ level, index, hashes: toBase64(bytes) })),
    })
    if (!isSaved) return 0
    onGrown?.({ size: grown.size })
    return entries.length
  }

  /** Compresses entries that have found their place for good, some at most; answers whether there were any. */
  async pack(): Promise<boolean> {
    const { store, by, nowUs } = this.#options
    const packed = this.#packed ?? (await countPacked(store.read))
    const { size } = await readTreeHead(store.read)
    const at = nowUs()
    this.#packed = await packBundles(store, { ...{ by, nowUs: at, leaseUntilUs: at + LEASE_US }, packed, size })
    return this.#packed > packed
  }

  /**
   * Up to which number nothing can come any more once these entries are appended. Numbers become visible out of order
   * where transactions run beside each other, so a number counts only when all that began before it was seen have ended.
   */
  #settled(entries: readonly PendingEntry[], underWay: { oldest: number; next: number } | null): number {
    const lastId = entries.at(-1)?.entry_id ?? -1
    if (underWay === null) return lastId
    const isEnded = ({ next }: Mark): boolean => next <= underWay.oldest
    // A batch that was cut short says nothing of what comes after it.
    const most = entries.length < BATCH ? Number.MAX_SAFE_INTEGER : lastId
    const settled = this.#marks.filter(isEnded).reduce((id, mark) => Math.max(id, Math.min(mark.entryId, most)), -1)
    this.#marks = this.#marks.filter((mark) => !isEnded(mark))
    if (this.#seenId > (this.#marks.at(-1)?.entryId ?? settled))
      this.#marks.push({ entryId: this.#seenId, next: underWay.next })
    this.#seenId = Math.max(this.#seenId, lastId)
    return settled
  }
}
