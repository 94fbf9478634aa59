import type { Lsn } from './replica-lag.ts'

/** How a replica was last found; `ahead`: it has what the writer has not. */
export type ReplicaState = 'following' | 'behind' | 'ahead' | 'away' | 'not a replica' | 'another database'

export interface Choosable {
  readonly state: ReplicaState
  /** Up to here it has everything; `null` while nobody knows. */
  readonly lsn: Lsn | null
}

export interface Choice<T> {
  /** Up to here everything was written here. */
  readonly floor: Lsn
  readonly isWriterUp: boolean
  /** The one that answered last. */
  readonly before: T | null
  /** Which of several is taken where that one cannot be. */
  readonly lot: number
}

/**
 * Which replica answers, of those that follow and have what was written here: the one before, since two are of two
 * moments. `null`: the writer does. While the writer is away, whichever has most: late is better than nothing.
 */
export function chooseReplica<T extends Choosable>(replicas: readonly T[], choice: Choice<T>): T | null {
  const { floor, isWriterUp, before, lot } = choice
  const fit = replicas.filter(({ state, lsn }) => state === 'following' && lsn !== null && lsn >= floor)
  const next = fit.find((one) => one === before) ?? fit[lot % Math.max(1, fit.length)]
  if (next !== undefined) return next
  if (isWriterUp) return null
  const late = replicas.filter(({ state }) => state === 'following' || state === 'behind')
  return late.reduce<T | null>((best, one) => ((one.lsn ?? -1) > (best?.lsn ?? -1) ? one : best), null)
}
