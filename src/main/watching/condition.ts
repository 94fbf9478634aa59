import type { Prober } from '../../probe/prober.ts'
import type { ReadReplicas } from '../../store/store.ts'

// What `/readyz` adds. None of it is a reason to send readers away.

export type Condition = Readonly<Record<string, unknown>>

/** An offline prober, or one that cannot save, is worth knowing. */
export const probingCondition = (prober: Prober | undefined): Condition =>
  prober === undefined ? {} : { probing: prober.status() }

/** So is a log that shows an earlier checkpoint than the newest one. */
export const logCondition = (unpublished: string | null | undefined): Condition =>
  typeof unpublished === 'string' ? { log: { state: 'not published', reason: unpublished } } : {}

/** Replicas that are left out, or a writer that is away while they are read. */
export function replicaCondition(replicas: ReadReplicas | undefined): Condition {
  if (replicas === undefined) return {}
  const { writer, replicas: each } = replicas.standing()
  return {
    writer,
    replicas: each.map(({ name, state, lagMs, lagBytes }) => ({
      ...{ replica: name, state, lag_seconds: Math.round(lagMs) / 1000, lag_bytes: lagBytes },
    })),
  }
}
