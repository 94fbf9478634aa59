/** How often and how long a sweep waits for a source that is busy or broken. All times in milliseconds. */
export interface Patience {
  /** Requests for one page in all. */
  readonly attempts: number
  readonly firstWaitMs: number
  readonly longestWaitMs: number
  /** A source that asks for more than this is left alone until the next sweep. */
  readonly longestRetryAfterMs: number
}

/**
 * The wait before attempt `attempt + 1`: doubled each time, and half of it by chance so that many directories do not
 * come back at the same moment. `random` is in [0, 1).
 */
export function backoffMs(attempt: number, patience: Patience, random: number): number {
  const full = Math.min(patience.longestWaitMs, patience.firstWaitMs * 2 ** (attempt - 1))
  return Math.round(full / 2 + (full / 2) * random)
}

/** Failures that the next minute will not mend. */
const LASTING = new Set([
  'blocked_address',
  'dns_not_found',
  'tls_expired',
  'tls_name_mismatch',
  'tls_untrusted',
  'headers_overflow',
  'body_overflow',
])

export const isLasting = (error: string): boolean => LASTING.has(error)

/** Statuses that ask for patience; any other error status is an answer. */
export const isPassing = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || status >= 500
