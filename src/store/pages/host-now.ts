import { type RawBuilder, sql } from 'kysely'
import type { Challenge } from '../../domain/challenge.ts'
import type { RouteKey } from '../../domain/route.ts'
import { RANK_OF_RESULT, rankOf } from '../probes/run-rank.ts'
import type { RunColumns } from '../probes/runs.ts'
import type { HostCounters, JsonText, SightRow } from '../schema.ts'
import type { Dialect } from '../sql/dialect.ts'
import { type JsonRows, rowReader } from '../sql/json-rows.ts'
import { fromRetired, isThere } from '../sql/retired.ts'
import type { Store } from '../store.ts'

/** What is stored of a route's now, beside its facts. */
export interface NowColumns extends RunColumns {
  readonly newest_probe_us: number | null
  readonly challenge_us: number | null
  /** The newest live one. */
  readonly live: JsonText<Challenge> | null
  /** What each vantage sees; null where none is named. */
  readonly sights: JsonText<SightRow[]> | null
}

export const NOW_COLUMNS = {
  now_status: 'value',
  now_since_us: 'value',
  last_402_us: 'value',
  newest_probe_us: 'value',
  challenge_us: 'value',
  live: 'value',
  sights: 'value',
} as const

/**
 * Of routes with state `s`. Like everything here it names the host's number wherever a host is meant: a statement that does
 * so throughout is asked of one machine where hosts lie on several.
 */
export const nowFields = (hostId: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`s.now_status, s.now_since_us, s.last_402_us, s.newest_probe_us, s.challenge_us, s.sights,
    (select body from challenges as b where b.host_id = ${hostId} and b.challenge_id = s.challenge_id) as live`

export interface HostNowRow extends NowColumns, RouteKey {
  readonly price: number | null
  readonly network: string | null
}

const ROUTE = {
  method: 'value',
  scheme: 'value',
  path: 'value',
  rail: 'value',
  price: 'value',
  network: 'value',
} as const

/** As `jsonRows` takes them. */
export const ROUTE_NOW = { ...NOW_COLUMNS, ...ROUTE } as const

export const hostNowIn = rowReader<HostNowRow>(ROUTE_NOW)

const routeAt = (
  dialect: Dialect,
  hostId: RawBuilder<unknown>,
  routeId: RawBuilder<unknown>,
): RawBuilder<JsonRows<HostNowRow>> =>
  dialect.jsonRows(
    ROUTE_NOW,
    sql<HostNowRow>`select ${nowFields(hostId)}, r.method, r.scheme, r.path, r.rail, s.price, s.network
      from route_state as s join routes as r on r.host_id = ${hostId} and r.route_id = s.route_id
      where s.host_id = ${hostId} and s.route_id = ${routeId}`,
  )

/** Where there are several: the host of the counters. */
const OF_COUNTERS = sql`c.host_id`

const WORST = sql`case when c.now_unreachable > 0 then ${sql.lit(RANK_OF_RESULT.unreachable)}
  when c.now_failed > 0 then ${sql.lit(RANK_OF_RESULT.failed)} else ${sql.lit(RANK_OF_RESULT.answers)} end`

/**
 * A host's worst route of those that a source names, over counters `c`: the one that has been so for longest, or where all
 * request payment, the one that did last. At most one row; costs the same however many routes there are.
 */
export const nowOf = (dialect: Dialect, hostId = OF_COUNTERS): RawBuilder<JsonRows<HostNowRow>> =>
  routeAt(
    dialect,
    hostId,
    sql`case when c.now_unreachable + c.now_failed + c.now_answers > 0 then
        (select w.route_id from route_state as w where w.host_id = ${hostId} and ${rankOf('w.now_status')} = ${WORST}
          and ${isThere('w', hostId)} order by w.now_since_us, w.route_id limit 1)
      when c.now_402 > 0 then (select p.route_id from probes as p where p.host_id = ${hostId} and p.status = 402
          and ${isThere('p', hostId)} order by p.at_us desc, p.route_id desc limit 1) end`,
  )

/** Of the routes that ask for another price than is listed, the one that is listed cheapest; without a price only where none has one. */
export const differingOf = (dialect: Dialect, hostId = OF_COUNTERS): RawBuilder<JsonRows<HostNowRow>> =>
  routeAt(
    dialect,
    hostId,
    sql`case when c.routes_differs > 0 then (select w.route_id from route_state as w
      where w.host_id = ${hostId} and w.probe_status = 'differs' and ${isThere('w', hostId)} order by w.price nulls last, w.route_id limit 1) end`,
  )

/** What became of the routes that were probed, of a host that has no now. `unkept`: nothing is kept of what they answered. */
export type Past = 'retired' | 'unlisted' | 'both' | 'unkept'

const someProbed = (
  table: 'retirements' | 'unlisted',
  hostId: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`(select 1 from ${sql.table(table)} as t
  join route_state as s on s.host_id = ${hostId} and s.route_id = t.route_id
  where t.host_id = ${hostId} and s.probes > 0 limit 1) is not null`

/** Over counters `c`; null where it has a now or was never probed, which is nearly always and costs nothing. */
export const pastOf = (hostId = OF_COUNTERS): RawBuilder<Past | null> =>
  sql`case when c.newest_probe_us is not null and c.now_unreachable + c.now_failed + c.now_answers + c.now_402 = 0 then
    case when (select 1 ${fromRetired('c', hostId)} limit 1) is not null then 'retired'
      when ${someProbed('retirements', hostId)}
        then case when ${someProbed('unlisted', hostId)} then 'both' else 'retired' end
      when ${someProbed('unlisted', hostId)} then 'unlisted' else 'unkept' end end`

/** Of one host, with the counters that it follows from. */
export async function readHostNow(
  { read, dialect }: Store,
  hostId: number,
): Promise<{ readonly row: HostNowRow | null; readonly counters: HostCounters; readonly past: Past | null } | null> {
  const found = await sql<
    HostCounters & { now_json: JsonRows<HostNowRow>; past: Past | null }
  >`select c.*, ${nowOf(dialect, sql`${hostId}`)} as now_json, ${pastOf(sql`${hostId}`)} as past
    from host_counters as c where c.host_id = ${hostId}`.execute(read)
  const counters = found.rows[0]
  if (counters === undefined) return null
  return { row: hostNowIn(counters.now_json)[0] ?? null, counters, past: counters.past }
}
