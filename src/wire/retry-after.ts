/** `Retry-After` in either of its forms, as milliseconds from now; `undefined` when it cannot be read. */
export function retryAfterMs(value: string | null | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1000
  // An HTTP date always ends so; Date.parse alone takes almost anything.
  const at = / GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}

/** Nobody is left alone for longer on one word: a mistyped date must not end the evidence. */
export const LONGEST_PAUSE_MS = 86_400_000
/** "Too many requests" without saying for how long. */
const UNSAID_PAUSE_MS = 60_000

/** How long a host wants to be left alone, in milliseconds; `null` when it does not say so. A 402 is an offer, not a refusal. */
export function pauseAskedMs(
  status: number | null,
  retryAfter: string | null | undefined,
  nowMs: number,
): number | null {
  if (status === null || status < 300 || status === 304 || status === 402) return null
  const told = retryAfterMs(retryAfter, nowMs)
  if (told === undefined) return status === 429 ? UNSAID_PAUSE_MS : null
  return Math.min(told, LONGEST_PAUSE_MS)
}
