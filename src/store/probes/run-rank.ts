import { type RawBuilder, sql } from 'kysely'
import type { ProbeResult } from '../../domain/probe.ts'
import { NO_STATUS } from './no-status.ts'

/** The worse a class, the smaller its number. */
export const RANK_OF_RESULT: Readonly<Record<ProbeResult, number>> = {
  unreachable: 0,
  failed: 1,
  answers: 2,
  '402-correct': 3,
}

/** Of the status in `now_status`; the index of runs is built on this very text. */
export const RANK = `case when now_status = ${NO_STATUS} then 0 when now_status = 402 then 3
  when now_status < 400 then 2 when now_status >= 400 then 1 end`

export const rankOf = (column: string): RawBuilder<number> => sql.raw(RANK.replaceAll('now_status', column))
