import { existsSync, statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { Problem } from '../../domain/problem.ts'

/** The store's file, in `DATA_DIR`. */
export const SQLITE_FILE = 'tollbook.db'

/**
 * Empty for ever, beside the store: whoever has the store open reads this one, too. SQLite locks it for as long, also where the
 * store itself is read without a lock; the system takes the lock away with the program, however that ends.
 */
export const HOLD_FILE = 'tollbook.open'

/** Known not to be there. A folder that this user may not look into says nothing of what it holds, which is thrown (`EACCES`). */
export const isAbsent = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) === undefined

/** The file of a store as somebody finds it who only reads it. */
export interface FoundFile {
  /** What SQLite is given to open. */
  readonly place: string
  /** Throws where what was read until now may not be of one moment. */
  refuseChanged(): void
}

/** One that others may write to: SQLite shows its readers one moment each. */
export const sharedFile = (path: string): FoundFile => ({ place: path, refuseChanged: () => undefined })

/**
 * A file whose log is not there is complete, and nobody writes to it: opened as one that never changes, so that SQLite
 * makes no files beside it, and needs none where none can be made. A program that starts meanwhile may change it after all.
 */
export function foundFile(path: string): FoundFile {
  if (statSync(`${path}-wal`, { throwIfNoEntry: false }) !== undefined) return sharedFile(path)
  const found = stateOf(path)
  return {
    place: `${pathToFileURL(path).href}?immutable=1`,
    refuseChanged: () => {
      if (stateOf(path) === found) return
      const detail = 'another program has begun to write to the store meanwhile'
      throw new Problem('changed', 409, 'Store changed', detail, 'run it again')
    },
  }
}

/** Tells whether nobody has written to a file since; its log may be gone, as whoever closes it last takes it away. */
export function stillFile(path: string): () => boolean {
  const log = `${path}-wal`
  const [found, foundLog] = [stateOf(path), stateOf(log)]
  return () => stateOf(path) === found && (!existsSync(log) || stateOf(log) === foundLog)
}

function stateOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return `${found?.ino} ${found?.size} ${found?.mtimeNs}`
}
