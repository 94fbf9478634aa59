import { type RawBuilder, sql } from 'kysely'
import type { LatencyCount } from '../../domain/latency.ts'
import { RANK_OF_RESULT, rankOf } from '../probes/run-rank.ts'
import type { HostCounters, Writer } from '../schema.ts'
import { type Among, ANY, type Dialect, type Row } from '../sql/dialect.ts'
import { WHOLE_HOST } from '../sql/retired.ts'
import { RowsStatement } from '../sql/rows-statement.ts'
import { LATENCY_STEPS } from './latency.ts'

/**
 * What a host's routes sum up to, of `route_state`; routes that no source names any more, and those that the seller retired, are left
 * out. Of a host that is retired as a whole nothing is true now; what was compared of it still is.
 */
export type Summary = Pick<
  HostCounters,
  'now_answers' | 'now_402' | 'now_failed' | 'now_unreachable' | 'routes_verified' | 'routes_differs' | 'price_min'
>

export const NO_SUMMARY: Summary & { readonly host_id?: number } = {
  now_answers: 0,
  now_402: 0,
  now_failed: 0,
  now_unreachable: 0,
  routes_verified: 0,
  routes_differs: 0,
  price_min: null,
}

const inRun = (rank: number): RawBuilder<unknown> => sql`${rankOf('s.now_status')} = ${sql.lit(rank)}`
const checked = (status: string): RawBuilder<unknown> => sql`s.probe_status = ${sql.lit(status)}`

/** Which routes count. */
type Counted = Readonly<Partial<Record<keyof Summary, RawBuilder<unknown>>>>
const IN_RUN: Counted = {
  now_answers: inRun(RANK_OF_RESULT.answers),
  now_402: inRun(RANK_OF_RESULT['402-correct']),
  now_failed: inRun(RANK_OF_RESULT.failed),
  now_unreachable: inRun(RANK_OF_RESULT.unreachable),
}
const CHECKED: Counted = {
  routes_verified: checked('verified'),
  routes_differs: checked('differs'),
}

/** Tables that name routes which are left out. A step of the schema names those that there were then. */
type LeftOut = readonly ('unlisted' | 'retirements')[]
const LEFT_OUT: LeftOut = ['unlisted', 'retirements']

/** Whether a route of `route_state as s` is left out, by these joins. */
export function leftOutOf(
  tables: LeftOut = LEFT_OUT,
  among: Among = ANY,
): {
  readonly joins: RawBuilder<unknown>
  /** All of it holds where it is not. */
  readonly isThere: readonly RawBuilder<unknown>[]
  /** All of it holds where it is not, nor is its host retired as a whole. */
  readonly isNow: readonly RawBuilder<unknown>[]
} {
  const joins = tables.map(
    (table) => sql`left join ${sql.table(table)} on ${sql.ref(`${table}.host_id`)} = s.host_id
      and ${sql.ref(`${table}.route_id`)} = s.route_id ${among(`${table}.host_id`)}`,
  )
  const isThere = tables.map((table) => sql`${sql.ref(`${table}.route_id`)} is null`)
  if (!tables.includes('retirements')) return { joins: sql.join(joins, sql` `), isThere, isNow: isThere }
  joins.push(
    sql`left join retirements as whole on whole.host_id = s.host_id and whole.route_id = ${sql.lit(WHOLE_HOST)}
      ${among('whole.host_id')}`,
  )
  return { joins: sql.join(joins, sql` `), isThere, isNow: [...isThere, sql`whole.route_id is null`] }
}

/** The summaries of hosts that a query answers by `host_id`, as a table. Reads every route of theirs. */
export const summariesOf = (
  hosts: RawBuilder<unknown>,
  among: Among = ANY,
  leftOut: LeftOut = LEFT_OUT,
): RawBuilder<Summary & { host_id: number }> => {
  const { joins, isThere, isNow } = leftOutOf(leftOut, among)
  const count = (conditions: Counted, isMeant: readonly RawBuilder<unknown>[]): RawBuilder<unknown>[] =>
    Object.entries(conditions).map(
      ([name, condition]) =>
        sql`sum(case when ${sql.join([...isMeant, condition], sql` and `)} then 1 else 0 end) as ${sql.ref(name)}`,
    )
  const counts = [...count(IN_RUN, isNow), ...count(CHECKED, isThere)]
  const price = sql`case when ${sql.join(isThere, sql` and `)} then s.price end`
  return sql`select s.host_id, ${sql.join(counts)}, min(${price}) as price_min
    from (${hosts}) as v cross join route_state as s ${joins}
    where s.host_id = v.host_id ${among('s.host_id')} group by s.host_id`
}

/** After the routes of these hosts have changed: class, facts, or whether a source names them. */
export function setSummaries(
  hosts: RawBuilder<unknown>,
  among: Among = ANY,
  leftOut: LeftOut = LEFT_OUT,
): RawBuilder<unknown> {
  const names = Object.keys(NO_SUMMARY)
  const set = sql.join(names.map((name) => sql`${sql.ref(name)} = ${sql.ref(`t.${name}`)}`))
  return sql`update host_counters set ${set} from (${summariesOf(hosts, among, leftOut)}) as t
    where host_counters.host_id = t.host_id ${among('host_counters.host_id')}`
}

/** A statement about hosts, by their numbers. */
const aboutHosts = (build: (hosts: RawBuilder<unknown>, among: Among) => RawBuilder<unknown>): RowsStatement =>
  new RowsStatement((dialect, rows) =>
    build(sql`select host_id from ${dialect.rows({ host_id: 'int' }, rows)} as h`, (column) =>
      dialect.among(column, rows),
    ),
  )

const SET_SUMMARIES = aboutHosts(setSummaries)
const REFRESH_MEDIANS = aboutHosts((hosts, among) => refreshMedians(hosts, among))

const rowsOf = (hostIds: Iterable<number>): Row[] => [...hostIds].sort((a, b) => a - b).map((hostId) => [hostId])

/** What their routes sum up to, of these hosts. */
export const saveSummaries = (writer: Writer, dialect: Dialect, hostIds: Iterable<number>): Promise<void> =>
  SET_SUMMARIES.runLater(writer, dialect, rowsOf(hostIds))

/** The median that lists are sorted by, of these hosts. */
export const saveMedians = (writer: Writer, dialect: Dialect, hostIds: Iterable<number>): Promise<void> =>
  REFRESH_MEDIANS.runLater(writer, dialect, rowsOf(hostIds))

export const SAMPLES = sql`(c.answers + c.correct_402 + c.failed + c.unreachable)`
const [FINE, COARSE] = LATENCY_STEPS

/**
 * The latencies of the two entries in the middle of a host's histogram, over counters `c`, added up: first the 128 ms that
 * hold them, then the millisecond of each. They follow each other, so where each has 128 ms of its own nothing lies between.
 * The inner query depends on the outer one's row, so that Postgres reads no more fine rows than these.
 */
const medianSum = (hostId: RawBuilder<unknown>, among: Among): RawBuilder<number | null> => {
  const { low, high } = medianRanks
  const at = (rank: RawBuilder<unknown>) =>
    sql`case when f.upto >= ${rank} and f.upto - f.n < ${rank} then f.latency_ms else 0 end`
  return sql`(select (select sum(${at(low)} + ${at(high)}) from (
        select l.latency_ms, l.n, b.below + sum(l.n) over (order by l.latency_ms rows unbounded preceding) as upto
        from host_latency as l where l.host_id = ${hostId} ${among('l.host_id')} and l.step = ${sql.lit(FINE)}
          and l.latency_ms >= b.first_ms and l.latency_ms < b.last_ms + ${sql.lit(COARSE)}) as f)
    from (select min(t.latency_ms) as first_ms, max(t.latency_ms) as last_ms, min(t.upto - t.n) as below from (
        select latency_ms, n, sum(n) over (order by latency_ms rows unbounded preceding) as upto
        from host_latency as m where m.host_id = ${hostId} ${among('m.host_id')} and step = ${sql.lit(COARSE)}) as t
      where t.upto >= ${low} and t.upto - t.n < ${high}) as b)`
}

/** A row of a histogram, as `jsonRows` takes it. */
const LATENCY_COLUMNS = { latencyMs: 'value', n: 'value' } as const

/** Part of a histogram: so many entries are below it. */
export interface LatencySpan {
  readonly below: number
  readonly latencies: readonly LatencyCount[]
}

const SPAN_COLUMNS = { below: 'value', latencies: LATENCY_COLUMNS } as const

/** As `jsonRows` takes them. */
export const HISTOGRAM_COLUMNS = { latencies: LATENCY_COLUMNS, latency_spans: SPAN_COLUMNS } as const

/** Up to here finding ranks takes longer than reading all. */
const FEW_TO_READ = 100

/**
 * A host's histogram over counters `c`: of few entries all of it, of more the 128 ms that hold each of the ranks that are
 * shown. One of the two is empty.
 */
export function histogramOf(
  dialect: Dialect,
  hostId: RawBuilder<unknown>,
): Readonly<Record<keyof typeof HISTOGRAM_COLUMNS, RawBuilder<unknown>>> {
  // More there cannot be; whoever plans for any host would expect as many as hosts have in the middle, and plan anew for each.
  const fine = (which: RawBuilder<unknown>, most: number) =>
    dialect.jsonRows(
      LATENCY_COLUMNS,
      sql`select latency_ms as "latencyMs", n from host_latency
        where host_id = ${hostId} and step = ${sql.lit(FINE)} and ${which} order by latency_ms limit ${sql.lit(most)}`,
    )
  const ranks = [medianRanks.low, medianRanks.high, sql`(${SAMPLES} * 95 + 99) / 100`]
  const holds = ranks.map((rank) => sql`(t.upto >= ${rank} and t.upto - t.n < ${rank})`)
  const spans = sql`select t.latency_ms as start, t.upto - t.n as below from (
      select latency_ms, n, sum(n) over (order by latency_ms rows unbounded preceding) as upto from host_latency
      where host_id = ${hostId} and step = ${sql.lit(COARSE)} and ${SAMPLES} > ${sql.lit(FEW_TO_READ)}) as t
    where ${sql.join(holds, sql` or `)} order by t.latency_ms`
  return {
    latencies: fine(sql`${SAMPLES} <= ${sql.lit(FEW_TO_READ)}`, FEW_TO_READ),
    latency_spans: dialect.jsonRows(SPAN_COLUMNS, spans, {
      as: 'b',
      columns: { latencies: fine(sql`latency_ms >= b.start and latency_ms < b.start + ${sql.lit(COARSE)}`, COARSE) },
    }),
  }
}

/** The two entries in the middle of a host's histogram, over counters `c`; one and the same when there is one. */
const medianRanks = { low: sql`(${SAMPLES} + 1) / 2`, high: sql`${SAMPLES} / 2 + 1` }

/** Up to so many entries a host's median in lists is exact: their histogram is small. */
export const FEW_SAMPLES = 100

/**
 * The median that lists show and are sorted by. Of a host with more than a few entries it is found again when a tenth more
 * have come, since finding it costs more than saving an entry. What the host's own views show is always exact.
 */
export function refreshMedians(hosts: RawBuilder<unknown>, among: Among = ANY): RawBuilder<unknown> {
  const own = sql`c.host_id`
  const isDue = sql`(${SAMPLES} <= ${sql.lit(FEW_SAMPLES)} or ${SAMPLES} * 10 >= c.median_samples * 11)`
  return sql`update host_counters set median_samples = t.samples, median_sum_ms = t.sum_ms
    from (select c.host_id, ${SAMPLES} as samples, ${medianSum(own, among)} as sum_ms
      from (${hosts}) as v cross join host_counters as c
      where c.host_id = v.host_id ${among('c.host_id')} and ${isDue} and ${SAMPLES} > 0) as t
    where host_counters.host_id = t.host_id ${among('host_counters.host_id')}`
}
