import { type LatencyCount, type LatencySummary, latencyOf } from '../../domain/latency.ts'
import { classify, type ProbeResult, type ResultCounts } from '../../domain/probe.ts'
import { DAY_US } from '../../domain/time/day.ts'
import { CLOCKS_DIFFER_US, type TimestampUs } from '../../domain/time/timestamp.ts'
import type { CountedTimes, EntryCount } from '../../store/pages/read-decision.ts'
import { statusIn } from '../../store/probes/no-status.ts'
import { WINDOWS } from '../../wire/api/results.ts'

/** How far back people look. */
const WINDOW_DAYS = { '24 h': 1, '7 d': 7, '30 d': 30 } as const satisfies Record<WindowName, number>
export type WindowName = (typeof WINDOWS)[number]

/** What the probes of one route saw since a time. */
export interface ProbeWindow {
  readonly name: WindowName
  readonly sinceUs: TimestampUs
  readonly results: ResultCounts
  readonly latency: LatencySummary | null
}

/** The times that windows are counted from. */
export const windowTimes = (nowUs: TimestampUs): CountedTimes => ({
  latest: sinceOf('24 h', nowUs),
  middle: sinceOf('7 d', nowUs),
  earliest: sinceOf('30 d', nowUs),
  // What a clock that was ahead has dated is in none yet; those of two machines may differ a little.
  upto: nowUs + CLOCKS_DIFFER_US,
})

const sinceOf = (name: WindowName, nowUs: TimestampUs): TimestampUs => nowUs - WINDOW_DAYS[name] * DAY_US

/** Where each window is counted. */
const COUNTED = { '24 h': 'latest', '7 d': 'middle', '30 d': 'earliest' } as const satisfies Record<
  WindowName,
  keyof EntryCount
>

/** Shortest first. `counts`: of `windowTimes` of this time. */
export const windowsOf = (counts: readonly EntryCount[], nowUs: TimestampUs): ProbeWindow[] =>
  WINDOWS.map((name) => windowOf(name, sinceOf(name, nowUs), counts))

function windowOf(name: WindowName, sinceUs: TimestampUs, counts: readonly EntryCount[]): ProbeWindow {
  const results: Record<ProbeResult, number> = { answers: 0, '402-correct': 0, failed: 0, unreachable: 0 }
  const within: LatencyCount[] = []
  for (const count of counts) {
    const n = count[COUNTED[name]]
    if (n === 0) continue
    results[classify(statusIn(count.status))] += n
    within.push({ latencyMs: count.latency_ms, n })
  }
  return { name, sinceUs, results: results satisfies ResultCounts, latency: latencyOf(within) }
}
