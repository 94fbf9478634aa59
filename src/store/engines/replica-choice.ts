import type { Lsn } from './replica-lag.ts'

/** How a replica was last found. */
export type ReplicaState = 'following' | 'behind' | 'away' | 'not a replica' | 'another database'

export interface Choosable {
  readonly state: ReplicaState
  /** Up to here it has everything; `null` while nobody knows. */
  readonly lsn: Lsn | null
}

/**
 * Which replica answers, of those that follow and have what was written here: the next in turn. `null`: the writer does.
 * While the writer is away, whichever has most: late is better than nothing.
 */
export function chooseReplica<T extends Choosable>(
  replicas: readonly T[],
  { floor, isWriterUp, turn }: { readonly floor: Lsn; readonly isWriterUp: boolean; readonly turn: number },
): T | null {
  const fit = replicas.filter(({ state, lsn }) => state === 'following' && lsn !== null && lsn >= floor)
  const next = fit[turn % Math.max(1, fit.length)]
  if (next !== undefined) return next
  if (isWriterUp) return null
  const late = replicas.filter(({ state }) => state === 'following' || state === 'behind')
  return late.reduce<T | null>((best, one) => ((one.lsn ?? -1) > (best?.lsn ?? -1) ? one : best), null)
}
