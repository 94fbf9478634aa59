import type { Problem } from '../../domain/problem.ts'
import { problem } from '../../domain/problem-kinds.ts'
import type { Unfit } from '../rail.ts'
import { paymentProblem } from './refusals.ts'

const RETRY_AFTER = { 'Retry-After': '5' }

/** A credential of a method that is not offered. */
export const malformed = ({ code, reason }: Unfit): Problem =>
  problem('malformed-payment', reason, { more: { charged: false, payment_problem: paymentProblem(code) } })

/** Nothing has moved: the question before that could not be answered. */
export const unanswered = (): Problem =>
  problem('payment-backend', 'The Tempo node of this directory does not answer.', {
    more: { charged: false },
    headers: RETRY_AFTER,
  })
