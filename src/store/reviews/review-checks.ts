import { sql } from 'kysely'
import type { PayeeOrigin } from '../../domain/money/payee.ts'
import { isOfPrice } from '../../domain/review.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { RouteId } from '../hosts/route-ref.ts'
import type { Writer } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { RowsStatement } from '../sql/rows-statement.ts'
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

/** A payee about to be saved. */
interface NewPayee {
  readonly at: RouteId
  readonly network: string
  readonly payee: string
  readonly origin: PayeeOrigin
  readonly lastUs: TimestampUs
}

const PAYEE = {
  host_id: 'int',
  route_id: 'int',
  network: 'text',
  payee: 'text',
  shares: 'int',
  last_us: 'int',
} as const

/** Routes that were not seen to pay these, or only to have them share. */
const FIND_NEW = new RowsStatement(
  (dialect, rows) => sql<{ host_id: number; route_id: number; last_us: number }>`select v.host_id, v.route_id, v.last_us
    from ${dialect.hostRows(PAYEE, rows)} as v
    where not exists (select 1 from payees as p where p.host_id = v.host_id and p.route_id = v.route_id
      and p.network = v.network and p.payee = v.payee and (case when p.origin = 'split' then 1 else 0 end) = v.shares)`,
)

/** Signed reviews of these routes whose payment supports nothing. */
const FIND_WAITING = new RowsStatement(
  (dialect, rows) => sql<{
    host_id: number
    review_id: string
    last_us: number
    level_reason: string | null
  }>`select r.host_id, r.review_id, v.last_us, r.level_reason
    from ${dialect.rows({ host_id: 'int', route_id: 'int', last_us: 'int' }, rows)} as v cross join reviews as r
    where r.host_id = v.host_id and r.route_id = v.route_id and r.level = 'Signed'
      and r.payment_transaction is not null and r.payment_found is null`,
)

const CHECK = { host_id: 'int', review_id: 'text', due_us: 'int' } as const

const SCHEDULE = new RowsStatement(
  (dialect, rows) => sql`insert into review_checks (host_id, review_id, due_us, attempts)
    select host_id, review_id, due_us, 0 from ${dialect.rows(CHECK, rows)} as v where true
    on conflict (host_id, review_id) do update set
      due_us = ${dialect.least(sql.ref('review_checks.due_us'), sql.ref('excluded.due_us'))}`,
)

/**
 * Before payees of hosts with reviews are saved: what was paid to somebody who is first seen now is looked at once more,
 * so that it does not matter who came first.
 */
export async function checkForPayees(writer: Writer, dialect: Dialect, payees: readonly NewPayee[]): Promise<void> {
  if (payees.length === 0) return
  const rows = payees.map(({ at, network, payee, origin, lastUs }): Row => {
    return [at.hostId, at.routeId, network, payee, origin === 'split' ? 1 : 0, lastUs]
  })
  const fresh = await FIND_NEW.run(writer, dialect, rows)
  const routes = new Map(fresh.map((row) => [`${row.host_id}/${row.route_id}`, row]))
  if (routes.size === 0) return
  const looked = [...routes.values()].map(({ host_id, route_id, last_us }): Row => [host_id, route_id, last_us])
  const waiting = await FIND_WAITING.run(writer, dialect, looked)
  const due = waiting.map(({ host_id, review_id, last_us }): Row => [host_id, review_id, last_us])
  if (due.length > 0) await SCHEDULE.run(writer, dialect, due)
}

/**
 * Of routes of hosts with reviews whose prices may be others than they were: what was found to be less than the price is
 * looked at once more.
 */
export async function checkForPrices(
  writer: Writer,
  dialect: Dialect,
  routes: readonly RouteId[],
  dueUs: TimestampUs,
): Promise<void> {
  if (routes.length === 0) return
  const looked = routes.map(({ hostId, routeId }): Row => [hostId, routeId, dueUs])
  const waiting = await FIND_WAITING.run(writer, dialect, looked)
  const due = waiting.filter(({ level_reason }) => isOfPrice(level_reason))
  if (due.length > 0)
    await SCHEDULE.run(
      writer,
      dialect,
      due.map(({ host_id, review_id }): Row => [host_id, review_id, dueUs]),
    )
}

/** A check that was just asked for: nothing has changed since. */
export async function delayCheck(writer: Writer, { hostId, id }: ReviewKey, dueUs: TimestampUs): Promise<void> {
  const checks = writer.updateTable('review_checks').set({ due_us: dueUs })
  await checks.where('host_id', '=', hostId).where('review_id', '=', id).execute()
}

/** Decided for good: nothing is left to look at. One that was made due again since its taker began to look stays, at `nowUs`. */
export async function endCheck(writer: Writer, { hostId, id }: ReviewKey, nowUs?: TimestampUs): Promise<void> {
  const ended = writer.deleteFrom('review_checks').where('host_id', '=', hostId).where('review_id', '=', id)
  await (nowUs === undefined ? ended : ended.where('due_us', '>', nowUs)).execute()
}

/** When the next check is due, or `null` when there is none. */
export async function nextDueCheckUs(store: Store): Promise<TimestampUs | null> {
  const found = await sql<{ due_us: number | null }>`select min(due_us) as due_us from review_checks`.execute(
    store.read,
  )
  return found.rows[0]?.due_us ?? null
}
