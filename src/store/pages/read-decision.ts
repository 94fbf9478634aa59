import { sql } from 'kysely'
import type { SupportLevel } from '../../domain/review.ts'
import { DAY_US, type Day } from '../../domain/time/day.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { RouteId } from '../hosts/route-ref.ts'
import type { PayeeTable, Reader } from '../schema.ts'

/** Entries of one route that had the same status and latency, counted from each of the asked times on. */
export interface EntryCount {
  readonly status: number
  readonly latencyMs: number
  /** One for each asked time, in their order. */
  readonly counts: readonly number[]
}

/**
 * A route's entries since each of these times; the first is the earliest. As many rows as there are different latencies,
 * so that medians are exact.
 */
export async function readEntryCounts(
  reader: Reader,
  { hostId, routeId }: RouteId,
  sinceUs: readonly TimestampUs[],
): Promise<EntryCount[]> {
  const [earliest = 0] = sinceUs
  const columns = sinceUs.map((us, at) => sql`sum(case when at_us >= ${us} then 1 else 0 end) as ${sql.ref(`n${at}`)}`)
  const found = await sql<Record<string, number>>`select status, latency_ms, ${sql.join(columns)} from probes
    where host_id = ${hostId} and route_id = ${routeId} and at_us >= ${earliest}
    group by status, latency_ms order by latency_ms`.execute(reader)
  return found.rows.map((row) => ({
    status: row.status ?? 0,
    latencyMs: row.latency_ms ?? 0,
    counts: sinceUs.map((_, at) => row[`n${at}`] ?? 0),
  }))
}

export interface RatingCount {
  readonly level: SupportLevel
  readonly rating: number
  readonly n: number
}

/** A route's counted agent reviews by level and rating, and how many are excluded. */
export async function readRatingCounts(
  reader: Reader,
  { hostId, routeId }: RouteId,
): Promise<{ readonly counted: readonly RatingCount[]; readonly excluded: number }> {
  const found = await sql<RatingCount & { is_excluded: number }>`select level, rating,
      case when excluded is null then 0 else 1 end as is_excluded, count(*) as n
    from reviews where host_id = ${hostId} and route_id = ${routeId} and (superseded = 0 or excluded is not null)
    group by level, rating, case when excluded is null then 0 else 1 end`.execute(reader)
  const excluded = found.rows.filter((row) => row.is_excluded === 1).reduce((sum, row) => sum + row.n, 0)
  return { counted: found.rows.filter((row) => row.is_excluded === 0), excluded }
}

export type PayeeRow = Pick<PayeeTable, 'network' | 'payee' | 'asset' | 'origin' | 'first_us' | 'last_us'>

/** Who was seen to be paid for a route, newest first. */
export async function readPayees(reader: Reader, { hostId, routeId }: RouteId): Promise<PayeeRow[]> {
  return reader
    .selectFrom('payees')
    .select(['network', 'payee', 'asset', 'origin', 'first_us', 'last_us'])
    .where('host_id', '=', hostId)
    .where('route_id', '=', routeId)
    .orderBy('last_us', 'desc')
    .orderBy('payee')
    .orderBy('network')
    .execute()
}

/** The UTC days since then on which a route's challenge was the one that is newest now. */
export async function readChallengeDays(
  reader: Reader,
  { hostId, routeId }: RouteId,
  sinceUs: TimestampUs,
): Promise<Day[]> {
  const found = await sql<{ day: number }>`select distinct at_us / ${sql.lit(DAY_US)} as day from probes
    where host_id = ${hostId} and route_id = ${routeId} and at_us >= ${sinceUs} and challenge_id = (
      select challenge_id from route_state where host_id = ${hostId} and route_id = ${routeId})`.execute(reader)
  return found.rows.map(({ day }) => Number(day))
}
