import { type LatencySummary, latencyLine } from '../../domain/latency.ts'
import { type ResultCounts, summaryLine } from '../../domain/probe.ts'
import { formatDay } from '../../domain/time/day.ts'
import { formatTimestamp } from '../../domain/time/timestamp.ts'
import type { DayView } from '../../views/host/day-view.ts'
import type { ProbeWindow } from '../../views/route/windows.ts'
import { requestedLine } from '../now/now-words.ts'

export function resultsJson(results: ResultCounts) {
  return {
    answers: results.answers,
    '402_correct': results['402-correct'],
    failed: results.failed,
    unreachable: results.unreachable,
    summary: summaryLine(results),
  }
}

export const dayJson = ({ day, results, meanLatencyMs }: DayView) => ({
  day: formatDay(day),
  answers: results.answers,
  '402_correct': results['402-correct'],
  failed: results.failed,
  unreachable: results.unreachable,
  /** Of the entries with an HTTP result. */
  mean_latency_ms: meanLatencyMs,
})

export const latencyJson = (latency: LatencySummary | null) =>
  latency && {
    samples: latency.samples,
    min_ms: latency.minMs,
    median_ms: latency.medianMs,
    max_ms: latency.maxMs,
    p95_ms: latency.p95Ms,
  }

export const windowJson = ({ name, sinceUs, results, latency }: ProbeWindow) => ({
  window: name,
  since: formatTimestamp(sinceUs),
  ...resultsJson(results),
  requested_line: requestedLine(results),
  latency: latencyJson(latency),
  latency_line: latencyLine(latency),
})
