import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { equal, type NoteVerifier, openCheckpoint, type ReadTile, treeHash, UntrustedError } from './tlog/index.ts'

/** A tree's head that was signed. */
interface Signed {
  readonly size: number
  readonly root: Uint8Array
}

/**
 * The newest checkpoint that was ever signed here, kept in a file beside the key and not in the store: a store that was put
 * back from a backup does not know what it has said since.
 */
export class Published {
  #last: Signed | null = null
  #isUnreadable = false
  /** The file says what another log has published, and is written anew. */
  #isOfAnother = false

  private constructor(readonly file: string | null) {}

  /** What the file says; a checkpoint of another key or address is of another log. */
  static async open(file: string | null, verifier: NoteVerifier): Promise<Published> {
    const published = new Published(file)
    if (file === null || !existsSync(file)) return published
    try {
      const { size, root } = await openCheckpoint(readFileSync(file, 'utf8'), verifier)
      published.#last = { size, root }
    } catch (error) {
      // Signed by another key, or for another address, it is of another log.
      if (error instanceof UntrustedError) published.#isOfAnother = true
      else published.#isUnreadable = true
    }
    return published
  }

  get size(): number {
    return this.#last?.size ?? 0
  }

  /** What was kept last; `null`: nothing was. */
  get last(): Signed | null {
    return this.#last
  }

  /** Why the tree of the store must not be signed; `undefined` when what was signed before it was read is its beginning. */
  async faultOf(head: Signed, tiles: ReadTile, last = this.#last): Promise<string | undefined> {
    if (this.#isUnreadable) return `${this.file}, which says what was published last, cannot be read`
    if (last === null) return undefined
    if (head.size < last.size)
      return `the store has ${head.size} entries of the log, and a checkpoint of ${last.size} was published`
    const before = head.size === last.size ? head.root : await treeHash(tiles, last.size)
    return equal(before, last.root)
      ? undefined
      : `the first ${last.size} entries of the log in the store are others than those that were published`
  }

  /** Before anybody sees it. Throws, and nothing is changed, where it cannot be written. */
  keep(head: Signed, note: string): void {
    if (this.#last !== null && head.size <= this.#last.size) return
    if (this.file !== null && (this.#isOfAnother || head.size > keptSize(this.file))) {
      // Containers that share the folder may have the same process id.
      const draft = `${this.file}.${randomUUID()}`
      try {
        writeFileSync(draft, note, { mode: 0o600, flush: true })
        renameSync(draft, this.file)
      } catch (error) {
        rmSync(draft, { force: true })
        throw error
      }
      // The name is on disk only when the folder is.
      const folder = openSync(dirname(this.file), 'r')
      try {
        fsyncSync(folder)
      } finally {
        closeSync(folder)
      }
    }
    this.#isOfAnother = false
    this.#last = head
  }
}

/** What another process that shares the file has published meanwhile is not to be forgotten. */
function keptSize(file: string): number {
  if (!existsSync(file)) return -1
  const [, size] = readFileSync(file, 'utf8').split('\n', 2)
  return /^\d+$/.test(size ?? '') ? Number(size) : -1
}
