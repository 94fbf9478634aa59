import type { Directory } from '../views/directory.ts'

/**
 * Asks for the epoch once per turn of the event loop: on SQLite it is a statement, which would be the largest part of
 * a cached answer. What a client was told was stored is in the next turn at the latest, so it sees its own writes.
 */
export function epochPerTurn(directory: Pick<Directory, 'epoch'>): () => number {
  let known: number | undefined
  const forget = (): void => {
    known = undefined
  }
  return () => {
    if (known === undefined) {
      known = directory.epoch()
      setImmediate(forget)
    }
    return known
  }
}
