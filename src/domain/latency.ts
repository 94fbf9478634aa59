import { thousands } from './count.ts'

export interface LatencySummary {
  readonly samples: number
  readonly minMs: number
  /** Exact: a whole number, or a half when the two middle entries differ by an odd number. */
  readonly medianMs: number
  /** The least latency that 95 of 100 entries do not exceed. */
  readonly p95Ms: number
  readonly maxMs: number
}

/** The exact printed latency line. The sample count is a plain integer like every other count; the three values carry separators. */
export function latencyLine(latency: Omit<LatencySummary, 'p95Ms'> | null): string {
  if (latency === null) return 'Latency: no data'
  const ms = (value: number): string => `${thousands(value)} ms`
  return `Latency: ${latency.samples} samples: minimum ${ms(latency.minMs)}, median ${ms(latency.medianMs)}, maximum ${ms(latency.maxMs)}`
}

/** The ranks (from 1) of the one or two entries in the middle of `samples` entries. */
export const middleRanks = (samples: number): readonly [low: number, high: number] => [
  Math.floor((samples + 1) / 2),
  Math.floor(samples / 2) + 1,
]

/** The rank (from 1) of the entry that 95 of 100 do not exceed. */
export const p95Rank = (samples: number): number => Math.ceil((samples * 95) / 100)

/** So many entries had this latency. */
export interface LatencyCount {
  readonly latencyMs: number
  readonly n: number
}

/** The latency of the entry at a rank (from 1); `within` is in the order of latencies. `undefined`: there are not so many. */
export function latencyAt(within: readonly LatencyCount[], rank: number): number | undefined {
  let before = 0
  for (const { latencyMs, n } of within) {
    before += n
    if (before >= rank) return latencyMs
  }
  return undefined
}

/** Exact: `within` is in the order of latencies. `null` of no entries. */
export function latencyOf(within: readonly LatencyCount[]): LatencySummary | null {
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

/** `null` of no entries. */
export function medianIn(values: readonly number[]): number | null {
  const sorted = Float64Array.from(values).sort()
  const [lowRank, highRank] = middleRanks(sorted.length)
  const [low, high] = [sorted[lowRank - 1], sorted[highRank - 1]]
  return low === undefined || high === undefined ? null : medianOf(low, high)
}

/** The median of the entries at the two middle ranks. */
export const medianOf = (low: number, high: number): number => (low + high) / 2
