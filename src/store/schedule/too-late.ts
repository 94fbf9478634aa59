import { sql } from 'kysely'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { StoredVantage } from '../probes/vantages.ts'
import { isRetired } from '../sql/retired.ts'
import type { Store } from '../store.ts'
import { latestUs } from './due.ts'

/** Hosts by their numbers. */
export interface HostSpan {
  readonly after: number
  readonly end: number
}

/**
 * Makes due now what is due later than any probe that ended now would make it: a clock that was ahead said so, or another
 * interval. So do leases that such a clock gave end.
 */
export async function bringForward(
  store: Store,
  { after, end }: HostSpan,
  { vantage, intervalUs, nowUs }: { vantage: StoredVantage; intervalUs: number; nowUs: TimestampUs },
): Promise<void> {
  const latest = latestUs(nowUs, intervalUs)
  const within = sql`host_id > ${after} and host_id <= ${end} and vantage_id = ${vantage.id}`
  const isTurnLate = sql`(due_us > ${latest.due} or not_before_us > ${latest.notBefore})`
  const found = await sql<{ is_late: number }>`select case when
      exists (select 1 from schedule where ${within} and due_us > ${latest.due})
      or exists (select 1 from host_turns where ${within} and ${isTurnLate}) then 1 else 0 end as is_late`.execute(
    store.read,
  )
  if (found.rows[0]?.is_late !== 1) return
  await store.write(async (writer) => {
    await sql`update schedule set due_us = ${nowUs} where ${within} and due_us > case when ${isRetired('schedule')}
      then ${sql.lit(latest.retiredDue)} else ${sql.lit(latest.due)} end`.execute(writer)
    await store.dialect.lockRows(writer, { table: 'host_turns', which: within, order: sql`host_id, vantage_id` })
    const notBefore = sql`case when not_before_us > ${sql.lit(latest.notBefore)} then 0 else not_before_us end`
    const dueUs = sql`(select min(s.due_us) from schedule as s
      where s.host_id = host_turns.host_id and s.vantage_id = host_turns.vantage_id)`
    // Also of hosts of which only some routes were due too late.
    await sql`update host_turns set lease_by = case when due_us > ${sql.lit(latest.due)} then null else lease_by end,
        not_before_us = ${notBefore},
        due_us = case when ${dueUs} < ${notBefore} then ${notBefore} else ${dueUs} end
      where ${within} and (lease_by is null or due_us > ${latest.due})`.execute(writer)
  })
}
