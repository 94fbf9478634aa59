import { sql } from 'kysely'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Store } from '../store.ts'
import { idRows, inScope, type RoundScope } from './schedule.ts'

/** How many routes a round has to look at. */
export async function countDue(store: Store, { vantageId, cutoffUs, hostIds }: RoundScope): Promise<number> {
  const named = hostIds === null ? sql`` : sql`and host_id in (select id from ${idRows(store.dialect, hostIds)} as n)`
  const found = await sql<{ n: number }>`select count(*) as n from schedule
    where vantage_id = ${vantageId} and due_us <= ${cutoffUs} ${named}`.execute(store.read)
  return found.rows[0]?.n ?? 0
}

/** Routes of these hosts that are not probeable as listed: templates, and methods that are never sent. */
export async function countUnprobeable(
  store: Store,
  { vantageId, hostIds }: Omit<RoundScope, 'cutoffUs'>,
): Promise<number> {
  const named = hostIds === null ? sql`` : sql`and host_id in (select id from ${idRows(store.dialect, hostIds)} as n)`
  const found = await sql<{ n: number }>`select count(*) as n from schedule
    where vantage_id = ${vantageId} and due_us is null ${named}`.execute(store.read)
  return found.rows[0]?.n ?? 0
}

/** Makes every probeable route of these hosts due, as seen from there. A host that asked to be left alone still is. */
export const makeDue = (
  store: Store,
  vantageId: number,
  hostIds: readonly number[],
  nowUs: TimestampUs,
): Promise<void> =>
  store.write(async (writer) => {
    const named = sql`vantage_id = ${vantageId} and host_id in (select id from ${idRows(store.dialect, hostIds)} as n)`
    await sql`update schedule set due_us = ${nowUs} where ${named} and due_us > ${nowUs}`.execute(writer)
    await sql`update host_turns set due_us = case when not_before_us > ${nowUs} then not_before_us else ${nowUs} end
      where ${named} and lease_by is null and due_us > ${nowUs}`.execute(writer)
  })

/** Whether the round has something left whose turn comes before `untilUs`. */
export async function isAnyLeft(store: Store, scope: RoundScope, untilUs: TimestampUs): Promise<boolean> {
  const found = await sql`select 1 from host_turns as t
    where t.vantage_id = ${scope.vantageId} and t.due_us <= ${untilUs} ${inScope(store.dialect, scope)} limit 1`.execute(
    store.read,
  )
  return found.rows.length > 0
}
