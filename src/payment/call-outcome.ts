/** Whom a payment needs an answer of. */
export const ASKED = ['facilitator', 'node'] as const
export type Asked = (typeof ASKED)[number]

/** How a call ended. `http_4xx` and `http_5xx` are answers that say no; of the last three there was none to be read. */
export const CALL_OUTCOMES = ['answered', 'http_4xx', 'http_5xx', 'deadline', 'unreachable', 'unreadable'] as const
export type CallOutcome = (typeof CALL_OUTCOMES)[number]

/** Hears of every call. */
export type OnCall = (to: Asked, outcome: CallOutcome) => void

export function outcomeOfStatus(status: number): CallOutcome {
  if (status >= 500) return 'http_5xx'
  return status >= 400 ? 'http_4xx' : 'answered'
}

/** Of a `fetch` that rejected. Its words are not looked at: they may hold an address with its key. */
export function outcomeOfFailure(error: unknown): 'deadline' | 'unreachable' | 'unreadable' {
  if (!(error instanceof Error)) return 'unreachable'
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'deadline'
  // As reading an answer that is too long rejects.
  return error instanceof SyntaxError || error instanceof RangeError ? 'unreadable' : 'unreachable'
}
