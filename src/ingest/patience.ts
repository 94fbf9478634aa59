/** How often and how long a sweep waits for a source that is busy or broken. All times in milliseconds. */
export interface Patience {
  /** Requests for one page in all. */
  readonly attempts: number
  readonly firstWaitMs: number
  readonly longestWaitMs: number
  /** A source that asks for more than this is left alone until the next sweep. */
  readonly longestRetryAfterMs: number
}

/** `Retry-After` in either of its forms, as milliseconds from now; `undefined` when it cannot be read. */
export function retryAfterMs(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined
  const text = value.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  // An HTTP date always ends so; Date.parse alone takes almost anything.
  const at = / GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
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
