import { type RawBuilder, sql } from 'kysely'
import type { SupportLevel } from '../../domain/review.ts'
import { DAY_US, type Day } from '../../domain/time/day.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { RouteId } from '../hosts/route-ref.ts'
import type { JsonText, PayeeTable } from '../schema.ts'
import type { Dialect } from '../sql/dialect.ts'
import { type JsonRows, rowReader } from '../sql/json-rows.ts'

// What is known of one route beside its facts, as parts of one statement.

/** Entries of one route that had the same status and latency, counted from each of the asked times on. */
export interface EntryCount {
  readonly status: number
  readonly latency_ms: number
  readonly latest: number
  readonly middle: number
  readonly earliest: number
}

/** From when entries are counted, and up to when. */
export interface CountedTimes {
  readonly latest: TimestampUs
  readonly middle: TimestampUs
  readonly earliest: TimestampUs
  readonly upto: TimestampUs
}

const COUNT_COLUMNS = {
  status: 'value',
  latency_ms: 'value',
  latest: 'value',
  middle: 'value',
  earliest: 'value',
} as const

export const entryCountsIn = rowReader<EntryCount>(COUNT_COLUMNS)

/** In the order of latencies. As many rows as there are different ones, so that medians are exact. */
export function entryCountsOf(
  dialect: Dialect,
  { hostId, routeId }: RouteId,
  { latest, middle, earliest, upto }: CountedTimes,
): RawBuilder<JsonRows<EntryCount>> {
  const since = (us: number): RawBuilder<unknown> => sql`sum(case when at_us >= ${us} then 1 else 0 end)`
  return dialect.jsonRows(
    COUNT_COLUMNS,
    sql<EntryCount>`select status, latency_ms, ${since(latest)} as latest, ${since(middle)} as middle, count(*) as earliest
      from probes where host_id = ${hostId} and route_id = ${routeId} and at_us >= ${earliest} and at_us <= ${upto}
      group by status, latency_ms order by latency_ms`,
  )
}

/** A route's agent reviews that count or are excluded, by level and rating. */
export interface RatingCount {
  readonly level: SupportLevel
  readonly rating: number
  readonly is_excluded: 0 | 1
  readonly n: number
}

const RATING_COLUMNS = { level: 'value', rating: 'value', is_excluded: 'value', n: 'value' } as const

export const ratingCountsIn = rowReader<RatingCount>(RATING_COLUMNS)

export const ratingCountsOf = (dialect: Dialect, { hostId, routeId }: RouteId): RawBuilder<JsonRows<RatingCount>> =>
  dialect.jsonRows(
    RATING_COLUMNS,
    sql<RatingCount>`select level, rating, case when excluded is null then 0 else 1 end as is_excluded, count(*) as n
      from reviews where host_id = ${hostId} and route_id = ${routeId} and (superseded = 0 or excluded is not null)
      group by level, rating, case when excluded is null then 0 else 1 end`,
  )

export type PayeeRow = Pick<PayeeTable, 'network' | 'payee' | 'asset' | 'origin' | 'first_us' | 'last_us'>

/** Of each origin and source: strangers may name thousands, and those whom one names take no room from others. */
const MOST_PAYEES = 1000

const PAYEE_COLUMNS = {
  network: 'value',
  payee: 'value',
  asset: 'value',
  origin: 'value',
  first_us: 'value',
  last_us: 'value',
} as const

export const payeesIn = rowReader<PayeeRow>(PAYEE_COLUMNS)

const payeesFrom = ({ hostId, routeId }: RouteId): RawBuilder<unknown> =>
  sql`from payees where host_id = ${hostId} and route_id = ${routeId}`

/** Who was seen to be paid for a route, newest first. */
export function payeesOf(dialect: Dialect, at: RouteId): RawBuilder<JsonRows<PayeeRow>> {
  const columns = sql.join(Object.keys(PAYEE_COLUMNS).map((name) => sql.ref(name)))
  return dialect.jsonRows(
    PAYEE_COLUMNS,
    sql<PayeeRow>`select ${columns} from (select ${columns},
        row_number() over (partition by origin, source order by last_us desc, payee) as place ${payeesFrom(at)}) as seen
      where place <= ${sql.lit(MOST_PAYEES)} order by last_us desc, payee, network, asset, origin`,
  )
}

export const payeesTotalOf = (at: RouteId): RawBuilder<number> => sql`(select count(*) ${payeesFrom(at)})`

/** The UTC days since then on which a route's challenge was the one that is newest now. */
export const challengeDaysOf = (
  dialect: Dialect,
  { hostId, routeId }: RouteId,
  sinceUs: TimestampUs,
): RawBuilder<JsonText<Day[]>> =>
  dialect.jsonValues(sql<{ value: Day }>`select distinct at_us / ${sql.lit(DAY_US)} as value from probes
    where host_id = ${hostId} and route_id = ${routeId} and at_us >= ${sinceUs} and challenge_id = (
      select challenge_id from route_state where host_id = ${hostId} and route_id = ${routeId})`)
