import { type RawBuilder, sql } from 'kysely'
import { classify, type ProbeResult, RESULTS } from '../../domain/probe.ts'
import { DAY_US, type Day, dayOf } from '../../domain/time/day.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { NO_STATUS } from '../probes/no-status.ts'
import { RANK_OF_RESULT, rankOf } from '../probes/run-rank.ts'
import type { HostDayTable, Reader, Writer } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { type JsonRows, rowReader } from '../sql/json-rows.ts'
import { fromParts } from '../sql/parts.ts'
import { RowsStatement } from '../sql/rows-statement.ts'
import type { Store } from '../store.ts'
import { RESULT_COLUMN } from './result-columns.ts'
import type { RouteId } from './route-ref.ts'

// One row per host and day, counted from kept entries alone: folding a month removes its days, so a host has never more
// rows than days are kept, and a move between stores needs no records of its own for them.

export type DayRow = Omit<HostDayTable, 'host_id'>

export const DAY_COLUMNS = {
  day: 'value',
  answers: 'value',
  correct_402: 'value',
  failed: 'value',
  unreachable: 'value',
  latency_sum_ms: 'value',
} as const

const NAMES = Object.keys(DAY_COLUMNS)
const SUMMED = NAMES.filter((name) => name !== 'day')

export type DayDeltas = Map<Day, DayRow>

export function addToDay(days: DayDeltas, httpStatus: number | null, atUs: TimestampUs, latencyMs: number): void {
  const day = dayOf(atUs)
  let row = days.get(day)
  if (row === undefined) {
    row = { day, answers: 0, correct_402: 0, failed: 0, unreachable: 0, latency_sum_ms: 0 }
    days.set(day, row)
  }
  row[RESULT_COLUMN[classify(httpStatus)]] += 1
  if (httpStatus !== null) row.latency_sum_ms += latencyMs
}

/** Within the transaction that appends the entries. */
export async function saveDays(
  writer: Writer,
  dialect: Dialect,
  hosts: readonly (readonly [hostId: number, { readonly days: DayDeltas }])[],
): Promise<void> {
  const rows = hosts.flatMap(([hostId, { days }]) =>
    [...days.values()]
      .sort((a, b) => a.day - b.day)
      .map(
        (row): Row => [hostId, row.day, row.answers, row.correct_402, row.failed, row.unreachable, row.latency_sum_ms],
      ),
  )
  if (rows.length === 0) return
  await ADD_DAYS.runLater(writer, dialect, rows)
}

const ADD_DAYS = new RowsStatement((dialect, rows) => {
  const names = sql.join(NAMES.map((name) => sql.ref(name)))
  const columns = { host_id: 'int', ...Object.fromEntries(NAMES.map((name) => [name, 'int' as const])) } as const
  const sums = sql.join(
    SUMMED.map((name) => sql`${sql.ref(name)} = ${sql.ref(`host_days.${name}`)} + ${sql.ref(`excluded.${name}`)}`),
  )
  return sql`insert into host_days (host_id, ${names})
    select host_id, ${names} from ${dialect.hostRows(columns, rows)} as v where true
    on conflict (host_id, day) do update set ${sums}`
})

/** In the transaction that folds the entries of these hosts that are older than what is kept. */
export async function dropDays(writer: Writer, sinceUs: TimestampUs, which: RawBuilder<unknown>): Promise<void> {
  await sql`delete from host_days where day < ${dayOf(sinceUs)} and ${which}`.execute(writer)
}

/** Days older than what is kept may still be there until their entries are folded; nobody is told of them. */
const KEPT = sql`coalesce((select max(kept_since_us) from retention), 0) / 86400000000`

/** A host's days from one on, oldest first; days without an entry have no row. */
export const daysSince = (hostId: number, since: Day): RawBuilder<unknown> =>
  sql`select ${sql.join(NAMES.map((name) => sql.ref(name)))} from host_days
    where host_id = ${hostId} and day >= ${since} and day >= ${KEPT} order by day`

/** The same of hosts that a statement names. */
export const daysFrom = (hostId: RawBuilder<unknown>, since: RawBuilder<unknown>): RawBuilder<DayRow> =>
  sql<DayRow>`select ${sql.join(NAMES.map((name) => sql.ref(`d.${name}`)))} from host_days as d
    where d.host_id = ${hostId} and d.day >= ${since} and d.day >= ${KEPT} order by d.day`

export const daysIn = rowReader<DayRow>(DAY_COLUMNS)

/** The days of each of these hosts, in one statement that costs a range of the key per host. */
export async function readDays(store: Store, hostIds: readonly number[], since: Day): Promise<Map<number, DayRow[]>> {
  if (hostIds.length === 0) return new Map()
  const found = await fromParts(store, hostIds, ({ read, dialect }, own) =>
    READ_DAYS.run(
      read,
      dialect,
      own.map((hostId) => [hostId, since]),
    ),
  )
  return new Map(found.map((row) => [row.host_id, daysIn(row.days)]))
}

const READ_DAYS = new RowsStatement((dialect, hosts) => {
  const days = daysFrom(sql`v.host_id`, sql`v.since`)
  return sql<{ host_id: number; days: JsonRows<DayRow> }>`select host_id, ${dialect.jsonRows(DAY_COLUMNS, days)} as days
    from ${dialect.hostRows({ host_id: 'int', since: 'int' }, hosts)} as v`
})

/** What each day since a time saw of one route, counted from its entries, oldest first. */
export function routeDaysSince({ hostId, routeId }: RouteId, sinceUs: TimestampUs): RawBuilder<DayRow> {
  const count = (result: ProbeResult) =>
    sql`sum(case when ${rankOf('status')} = ${sql.lit(RANK_OF_RESULT[result])} then 1 else 0 end) as ${sql.ref(RESULT_COLUMN[result])}`
  return sql<DayRow>`select at_us / ${sql.lit(DAY_US)} as day, ${sql.join(RESULTS.map(count))},
      sum(case when status = ${sql.lit(NO_STATUS)} then 0 else latency_ms end) as latency_sum_ms
    from probes where host_id = ${hostId} and route_id = ${routeId} and at_us >= ${sinceUs}
    group by 1 order by 1`
}

/** Of the first entry that is kept; `null` before there is one. */
export async function firstDay(reader: Reader, hostId: number): Promise<Day | null> {
  const found = await sql<{ day: number | null }>`select min(day) as day from host_days
    where host_id = ${hostId}`.execute(reader)
  return found.rows[0]?.day ?? null
}
