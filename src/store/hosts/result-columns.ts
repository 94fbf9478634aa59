import type { ProbeResult } from '../../domain/probe.ts'

/** Where each class is counted, per host, per day and per folded route. */
export const RESULT_COLUMN = {
  answers: 'answers',
  '402-correct': 'correct_402',
  failed: 'failed',
  unreachable: 'unreachable',
} as const satisfies Record<ProbeResult, string>

/** The classes of which a route ever had an entry, as bits of one number. */
const RESULT_BIT = {
  answers: 1,
  '402-correct': 2,
  failed: 4,
  unreachable: 8,
} as const satisfies Record<ProbeResult, number>

export const resultsIn = (results: Iterable<ProbeResult>): number =>
  [...results].reduce((bits, result) => bits | RESULT_BIT[result], 0)

/** The bit of each column. */
export const BIT_OF_COLUMN = {
  answers: RESULT_BIT.answers,
  correct_402: RESULT_BIT['402-correct'],
  failed: RESULT_BIT.failed,
  unreachable: RESULT_BIT.unreachable,
} as const
