import {
  type LatencyCount,
  type LatencySummary,
  latencyAt,
  medianOf,
  middleRanks,
  p95Rank,
} from '../../domain/latency.ts'
import { classify, type ProbeResult, type ResultCounts } from '../../domain/probe.ts'
import { DAY_US } from '../../domain/time/day.ts'
import { CLOCKS_DIFFER_US, type TimestampUs } from '../../domain/time/timestamp.ts'
import type { RouteId } from '../../store/hosts/route-ref.ts'
import { type EntryCount, readEntryCounts } from '../../store/pages/read-decision.ts'
import { statusIn } from '../../store/probes/no-status.ts'
import type { StorePart } from '../../store/sql/parts.ts'
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

/** Shortest first. */
export async function readWindows(part: StorePart, at: RouteId, nowUs: TimestampUs): Promise<ProbeWindow[]> {
  const [day, week, month] = WINDOWS.map((name) => nowUs - WINDOW_DAYS[name] * DAY_US)
  const since = [day ?? nowUs, week ?? nowUs, month ?? nowUs] as const
  // What a clock that was ahead has dated is in none yet; those of two machines may differ a little.
  const entries = await readEntryCounts(part, at, since, nowUs + CLOCKS_DIFFER_US)
  return WINDOWS.map((name, index) => windowOf(name, since[index] ?? nowUs, entries, index))
}

function windowOf(name: WindowName, sinceUs: TimestampUs, entries: readonly EntryCount[], column: number): ProbeWindow {
  const results: Record<ProbeResult, number> = { answers: 0, '402-correct': 0, failed: 0, unreachable: 0 }
  const within = entries.flatMap(({ status, latencyMs, counts }) => {
    const n = counts[column] ?? 0
    results[classify(statusIn(status))] += n
    return n === 0 ? [] : [{ latencyMs, n }]
  })
  return { name, sinceUs, results: results satisfies ResultCounts, latency: latencyOf(within) }
}

/** Exact: `within` is in the order of latencies. */
function latencyOf(within: readonly LatencyCount[]): LatencySummary | null {
  const [first, last] = [within[0], within.at(-1)]
  if (first === undefined || last === undefined) return null
  const samples = within.reduce((sum, { n }) => sum + n, 0)
  const atRank = (rank: number): number => latencyAt(within, rank) ?? last.latencyMs
  const [low, high] = middleRanks(samples)
  return {
    samples,
    minMs: first.latencyMs,
    medianMs: medianOf(atRank(low), atRank(high)),
    p95Ms: atRank(p95Rank(samples)),
    maxMs: last.latencyMs,
  }
}
