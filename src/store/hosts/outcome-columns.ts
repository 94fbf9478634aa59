import type { PaidCallsByLevel } from '../../domain/buyers/outcome.ts'
import { LEVELS, type SupportLevel } from '../../domain/support-level.ts'
import type { OutcomeCounts } from '../schema.ts'

export type { OutcomeCounts } from '../schema.ts'

/** Where reported paid calls are counted, per host and per route. */
export const OUTCOME_COLUMN = {
  'Verified buyer': { served: 'served_verified', notServed: 'not_served_verified' },
  Signed: { served: 'served_signed', notServed: 'not_served_signed' },
  Unsigned: { served: 'served_unsigned', notServed: 'not_served_unsigned' },
} as const satisfies Record<SupportLevel, object>

export const OUTCOME_COLUMNS = LEVELS.flatMap((level) => [
  OUTCOME_COLUMN[level].served,
  OUTCOME_COLUMN[level].notServed,
])
export type OutcomeColumn = keyof OutcomeCounts

export const paidCallsIn = (row: OutcomeCounts): PaidCallsByLevel => {
  const at = (level: SupportLevel) => ({
    served: row[OUTCOME_COLUMN[level].served],
    notServed: row[OUTCOME_COLUMN[level].notServed],
  })
  return { 'Verified buyer': at('Verified buyer'), Signed: at('Signed'), Unsigned: at('Unsigned') }
}
