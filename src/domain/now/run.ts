import { classify } from '../probe.ts'
import type { TimestampUs } from '../time/timestamp.ts'

/** The run of equal results that a route's newest entry belongs to, and when the route last requested payment. */
export interface Run {
  /** Of the newest entry; `null`: no HTTP result. */
  readonly httpStatus: number | null
  readonly sinceUs: TimestampUs
  readonly last402Us: TimestampUs | null
}

export interface RunEntry {
  readonly atUs: TimestampUs
  readonly httpStatus: number | null
}

const byTime = (a: RunEntry, b: RunEntry): number => a.atUs - b.atUs || (a.httpStatus ?? 0) - (b.httpStatus ?? 0)

/** The run after entries that are all newer than those it was made of. Of one moment the greatest status counts. */
export function continueRun(before: Run | null, entries: readonly RunEntry[]): Run | null {
  let run = before
  let last402Us = before?.last402Us ?? null
  const sorted = entries.toSorted(byTime)
  for (const [at, { atUs, httpStatus }] of sorted.entries()) {
    if (httpStatus === 402) last402Us = atUs
    if (sorted[at + 1]?.atUs === atUs) continue
    const goesOn = run !== null && classify(run.httpStatus) === classify(httpStatus)
    run = { httpStatus, sinceUs: goesOn && run !== null ? run.sinceUs : atUs, last402Us }
  }
  return run
}
