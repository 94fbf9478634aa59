import { type RawBuilder, sql } from 'kysely'
import { PAYEE_ORIGINS, type PayeeOrigin } from '../../domain/money/payee.ts'
import type { SupportLevel } from '../../domain/review.ts'
import { DAY_US, type Day } from '../../domain/time/day.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { RouteId } from '../hosts/route-ref.ts'
import type { PayeeTable } from '../schema.ts'
import { type JsonColumns, type JsonRows, rowReader } from '../sql/json-rows.ts'
import type { StorePart } from '../sql/parts.ts'
import { RememberedStatement } from '../sql/remembered.ts'

/** Entries of one route that had the same status and latency, counted from each of the asked times on. */
export interface EntryCount {
  readonly status: number
  readonly latencyMs: number
  /** One for each asked time, in their order. */
  readonly counts: readonly number[]
}

const ENTRY_COUNTS = new RememberedStatement(
  { hostId: 0, routeId: 0, upto: 0, latest: 0, middle: 0, earliest: 0 },
  (dialect, { hostId, routeId, upto, latest, middle, earliest }) => {
    const since = (us: number): RawBuilder<unknown> => sql`sum(case when at_us >= ${us} then 1 else 0 end)`
    const counts = dialect.jsonRows(
      COUNT_COLUMNS,
      sql<CountRow>`select status, latency_ms, ${since(latest)} as latest, ${since(middle)} as middle, count(*) as earliest
        from probes where host_id = ${hostId} and route_id = ${routeId} and at_us >= ${earliest} and at_us <= ${upto}
        group by status, latency_ms order by latency_ms`,
    )
    return sql<{ counts: JsonRows<CountRow> }>`select ${counts} as counts`
  },
)

interface CountRow {
  status: number
  latency_ms: number
  latest: number
  middle: number
  earliest: number
}

const COUNT_COLUMNS: JsonColumns = {
  ...{ status: 'value', latency_ms: 'value', latest: 'value', middle: 'value', earliest: 'value' },
}

const countsIn = rowReader<CountRow>(COUNT_COLUMNS)

/**
 * A route's entries since each of these times, latest first, up to one. As many rows as there are different latencies, so that medians
 * are exact.
 */
export async function readEntryCounts(
  part: StorePart,
  at: RouteId,
  [latest, middle, earliest]: readonly [TimestampUs, TimestampUs, TimestampUs],
  upto: TimestampUs,
): Promise<EntryCount[]> {
  const [found] = await ENTRY_COUNTS.run(part, { ...at, upto, latest, middle, earliest })
  return countsIn(found?.counts ?? '[]').map((row) => ({
    status: row.status,
    latencyMs: row.latency_ms,
    counts: [row.latest, row.middle, row.earliest],
  }))
}

export interface RatingCount {
  readonly level: SupportLevel
  readonly rating: number
  readonly n: number
}

/** A route's counted agent reviews by level and rating, and how many are excluded. */
export async function readRatingCounts(
  part: StorePart,
  at: RouteId,
): Promise<{ readonly counted: readonly RatingCount[]; readonly excluded: number }> {
  const rows = await RATING_COUNTS.run(part, { ...at })
  const excluded = rows.filter((row) => row.is_excluded === 1).reduce((sum, row) => sum + row.n, 0)
  return { counted: rows.filter((row) => row.is_excluded === 0), excluded }
}

const RATING_COUNTS = new RememberedStatement(
  { hostId: 0, routeId: 0 },
  (_, { hostId, routeId }) => sql<RatingCount & { is_excluded: number }>`select level, rating,
      case when excluded is null then 0 else 1 end as is_excluded, count(*) as n
    from reviews where host_id = ${hostId} and route_id = ${routeId} and (superseded = 0 or excluded is not null)
    group by level, rating, case when excluded is null then 0 else 1 end`,
)

export type PayeeRow = Pick<PayeeTable, 'network' | 'payee' | 'asset' | 'origin' | 'first_us' | 'last_us'>

/** Of each origin: strangers may name thousands, and those of one origin take no room from those of another. */
const MOST_PAYEES = 1000

/** Who was seen to be paid for a route, newest first, and how many there are. */
export async function readPayees(
  part: StorePart,
  at: RouteId,
): Promise<{ readonly newest: readonly PayeeRow[]; readonly total: number }> {
  const newest = await PAYEES.run(part, { ...at })
  return { newest, total: newest[0]?.total ?? 0 }
}

const PAYEES = new RememberedStatement({ hostId: 0, routeId: 0 }, (_, { hostId, routeId }) => {
  const columns = sql`network, payee, asset, origin, first_us, last_us`
  const ofRoute = sql`from payees where host_id = ${hostId} and route_id = ${routeId}`
  const newestOf = (origin: PayeeOrigin) =>
    sql`select * from (select ${columns} ${ofRoute} and origin = ${sql.lit(origin)}
      order by last_us desc, payee limit ${sql.lit(MOST_PAYEES)}) as newest`
  return sql<PayeeRow & { total: number }>`select ${columns}, (select count(*) ${ofRoute}) as total
    from (${sql.join(PAYEE_ORIGINS.map(newestOf), sql` union all `)}) as seen
    order by last_us desc, payee, network, asset, origin`
})

/** The UTC days since then on which a route's challenge was the one that is newest now. */
export async function readChallengeDays(part: StorePart, at: RouteId, sinceUs: TimestampUs): Promise<Day[]> {
  const rows = await CHALLENGE_DAYS.run(part, { ...at, sinceUs })
  return rows.map(({ day }) => Number(day))
}

const CHALLENGE_DAYS = new RememberedStatement(
  { hostId: 0, routeId: 0, sinceUs: 0 },
  (_, { hostId, routeId, sinceUs }) => sql<{
    day: number
  }>`select distinct at_us / ${sql.lit(DAY_US)} as day from probes
    where host_id = ${hostId} and route_id = ${routeId} and at_us >= ${sinceUs} and challenge_id = (
      select challenge_id from route_state where host_id = ${hostId} and route_id = ${routeId})`,
)
