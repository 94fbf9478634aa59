import { sql } from 'kysely'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Writer } from '../schema.ts'
import type { Store } from '../store.ts'
import type { ReviewKey } from './payment-claims.ts'

const FIRST_US = 5_000_000
const LONGEST_US = 3_600_000_000

/** When a payment is looked at again: soon after the first look, then ever more seldom, at least once an hour. */
export const nextCheckUs = (nowUs: TimestampUs, attempts: number): TimestampUs =>
  nowUs + Math.min(LONGEST_US, FIRST_US * 2 ** Math.min(attempts, 20))

/** A review whose payment is to be looked at now. Whoever took it has it to itself until the lease ends. */
export interface DueCheck extends ReviewKey {
  /** Looks before this one. */
  readonly attempts: number
}

/** Takes the checks that have been due for the longest. One whose taker died is due again when the lease is over. */
export async function takeChecks(
  store: Store,
  nowUs: TimestampUs,
  leaseUs: number,
  most: number,
): Promise<readonly DueCheck[]> {
  // After a write, even an empty one, every page is looked at again.
  const dueUs = await nextDueCheckUs(store)
  if (dueUs === null || dueUs > nowUs) return []
  return store.write(async (writer) => {
    const taken = await sql<{ host_id: number; review_id: string; attempts: number }>`with due as materialized (
        select host_id, review_id from review_checks where due_us <= ${nowUs} order by due_us
        limit ${most} ${store.dialect.skipLocked})
      update review_checks set due_us = ${nowUs + leaseUs}, attempts = attempts + 1
      where due_us <= ${nowUs} and (host_id, review_id) in (select host_id, review_id from due)
      returning host_id, review_id, attempts`.execute(writer)
    return taken.rows.map((row) => ({ hostId: row.host_id, id: row.review_id, attempts: row.attempts - 1 }))
  })
}

/** A check that is there already keeps its count of looks. */
export async function scheduleCheck(writer: Writer, { hostId, id }: ReviewKey, dueUs: TimestampUs): Promise<void> {
  await writer
    .insertInto('review_checks')
    .values({ host_id: hostId, review_id: id, due_us: dueUs, attempts: 0 })
    .onConflict((conflict) => conflict.columns(['host_id', 'review_id']).doUpdateSet({ due_us: dueUs }))
    .execute()
}

/** A check that was just asked for: nothing has changed since. */
export async function delayCheck(writer: Writer, { hostId, id }: ReviewKey, dueUs: TimestampUs): Promise<void> {
  const checks = writer.updateTable('review_checks').set({ due_us: dueUs })
  await checks.where('host_id', '=', hostId).where('review_id', '=', id).execute()
}

/** Decided for good: nothing is left to look at. */
export async function endCheck(writer: Writer, { hostId, id }: ReviewKey): Promise<void> {
  await writer.deleteFrom('review_checks').where('host_id', '=', hostId).where('review_id', '=', id).execute()
}

/** When the next check is due, or `null` when there is none. */
export async function nextDueCheckUs(store: Store): Promise<TimestampUs | null> {
  const found = await sql<{ due_us: number | null }>`select min(due_us) as due_us from review_checks`.execute(
    store.read,
  )
  return found.rows[0]?.due_us ?? null
}
