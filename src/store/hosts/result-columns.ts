import type { ProbeResult } from '../../domain/probe.ts'

/** Where each class is counted, per host, per day and per folded route. */
export const RESULT_COLUMN = {
  answers: 'answers',
  '402-correct': 'correct_402',
  failed: 'failed',
  unreachable: 'unreachable',
} as const satisfies Record<ProbeResult, string>
