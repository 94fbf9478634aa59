import { orNoData } from './count.ts'
import { formatTimestamp, type TimestampUs } from './time/timestamp.ts'

export const RESULTS = ['answers', '402-correct', 'failed', 'unreachable'] as const
/** The class of one probe entry, from its HTTP status alone. */
export type ProbeResult = (typeof RESULTS)[number]

export const PROBE_STATUSES = ['unverified', 'verified', 'differs'] as const
/** How a route's newest live challenge compares with its listed facts. */
export type ProbeStatus = (typeof PROBE_STATUSES)[number]

export const PROBE_HEADING = 'Machine-observed probe history'
export const PROBE_NOTE = 'This evidence is not a review.'

/** `null`: no HTTP result. */
export function classify(httpStatus: number | null): ProbeResult {
  if (httpStatus === null) return 'unreachable'
  if (httpStatus === 402) return '402-correct'
  return httpStatus < 400 ? 'answers' : 'failed'
}

export interface ProbeEntry {
  readonly atUs: TimestampUs
  readonly httpStatus: number | null
  /** Whole milliseconds, measured for every entry: for an unreachable one, the time to the failure. */
  readonly latencyMs: number
  readonly error: string | null
}

/** The exact printed line of one entry. */
export function probeLine(entry: ProbeEntry): string {
  const result = classify(entry.httpStatus)
  return `${result} — date ${formatTimestamp(entry.atUs)}; HTTP ${orNoData(entry.httpStatus)}; latency ${entry.latencyMs} ms; error ${orNoData(entry.error)}`
}

export type ResultCounts = Readonly<Record<ProbeResult, number>>

/** The exact printed summary line of a host's probe result history. */
export const summaryLine = (counts: ResultCounts): string =>
  `${counts.answers} answers · ${counts['402-correct']} 402-correct · ${counts.failed} failed · ${counts.unreachable} unreachable`
