import type { Problem } from '../../domain/problem.ts'
import { problem } from '../../domain/problem-kinds.ts'

export const malformed = (detail: string): Problem => problem('malformed-payment', detail, { more: { charged: false } })

const RETRY_S = 5

/** Nothing has moved: the question before that could not be answered. */
export const unanswered = (detail: string): Problem =>
  problem('payment-backend', detail, { more: { charged: false }, headers: { 'Retry-After': String(RETRY_S) } })
