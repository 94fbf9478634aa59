import type { Patience } from './patience.ts'

const MIB = 2 ** 20
const MINUTE_MS = 60_000

/** How much a sweep takes from strangers. Bytes and milliseconds. */
export interface SweepLimits {
  readonly pageBytes: number
  readonly pageMs: number
  /** A sweep that reaches either of these stops, and the next one goes on from there. */
  readonly sweepBytes: number
  readonly sweepMs: number
  /** Pages become durable together: when they hold this many rows, or the first of them is this old. */
  readonly saveRows: number
  readonly saveMs: number
  /** Between two pages of one source. */
  readonly pauseMs: number
  readonly patience: Patience
  /** Of one seller's own document. */
  readonly documentBytes: number
  readonly documentMs: number
  readonly sellerPatience: Patience
  /** Sellers asked side by side, each with one request in flight. */
  readonly sellersAtOnce: number
  /** Kept of the last page that failed. */
  readonly failedPageBytes: number
  /** An interrupted sweep older than this starts anew. */
  readonly resumeWithinMs: number
}

export const SWEEP_LIMITS: SweepLimits = {
  pageBytes: 16 * MIB,
  pageMs: MINUTE_MS,
  sweepBytes: 2048 * MIB,
  sweepMs: 60 * MINUTE_MS,
  saveRows: 1_000,
  saveMs: 1_000,
  pauseMs: 250,
  patience: { attempts: 5, firstWaitMs: 1_000, longestWaitMs: MINUTE_MS, longestRetryAfterMs: 5 * MINUTE_MS },
  documentBytes: 4 * MIB,
  documentMs: 15_000,
  sellerPatience: { attempts: 1, firstWaitMs: 1_000, longestWaitMs: 1_000, longestRetryAfterMs: 0 },
  sellersAtOnce: 8,
  failedPageBytes: 2 ** 16,
  resumeWithinMs: 24 * 60 * MINUTE_MS,
}
