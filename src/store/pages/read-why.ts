import { sql } from 'kysely'
import type { SellerHost } from '../../domain/host.ts'
import { NO_VANTAGE, type Vantage } from '../../domain/now/vantage.ts'
import type { ProbeResult } from '../../domain/probe.ts'
import { vantageOf } from '../probes/vantages.ts'
import type { Reader } from '../schema.ts'
import { type JsonRows, rowReader } from '../sql/json-rows.ts'
import { isRetired } from '../sql/retired.ts'
import { isTemplateLike } from '../sql/template-like.ts'
import type { Store } from '../store.ts'
import { type NamedRouteRow, type NamedRow, namedIn, namedSources } from './read-listing-history.ts'

/** Where a route stands in the schedule of one vantage. */
export interface PlaceRow {
  vantage_id: number
  due_us: number | null
  probed_us: number | null
  last_result: ProbeResult | null
}

const PLACE_COLUMNS = { vantage_id: 'value', due_us: 'value', probed_us: 'value', last_result: 'value' } as const

const placesIn = rowReader<PlaceRow>(PLACE_COLUMNS)

/** A route with who named it and where it stands in the schedules of probes. */
export interface ScheduledRouteRow extends NamedRouteRow {
  /** None: no prober has looked at it yet. */
  places: readonly PlaceRow[]
  /** Of its newest entry, whoever looked; null where there is none, or where it is no longer kept. */
  newest_us: number | null
  newest_status: number | null
  is_retired: number
  /** No source names it any more. */
  is_unlisted: number
}

/** One path of a host, with every template, one of which may stand for it; or everything, `null`. */
export async function readScheduledRoutes(
  { read, dialect }: Store,
  hostId: number,
  vantageIds: readonly number[],
  path: string | null,
  limit: number,
): Promise<ScheduledRouteRow[]> {
  const places = dialect.jsonRows(
    PLACE_COLUMNS,
    sql`select vantage_id, due_us, probed_us, last_result from schedule where host_id = ${hostId}
      and vantage_id in (${sql.join(vantageIds)}) and route_id = r.route_id order by vantage_id`,
  )
  const asked = path === null ? sql`` : sql`and (r.path = ${path} or ${isTemplateLike(sql`r.path`)})`
  const found = await sql<
    Omit<ScheduledRouteRow, 'sources' | 'places'> & { sources: JsonRows<NamedRow>; places: JsonRows<PlaceRow> }
  >`
    select r.scheme, r.method, r.path, r.rail, ${namedSources(dialect, hostId)} as sources, ${places} as places,
      o.newest_probe_us as newest_us, (select p.status from probes as p where p.host_id = ${hostId}
        and p.route_id = r.route_id and p.at_us = o.newest_probe_us
        order by p.status desc limit 1) as newest_status,
      case when ${isRetired('r', sql`${hostId}`)} then 1 else 0 end as is_retired,
      case when exists (select 1 from unlisted as u where u.host_id = ${hostId} and u.route_id = r.route_id)
        then 1 else 0 end as is_unlisted
    from routes as r left join route_state as o on o.host_id = r.host_id and o.route_id = r.route_id
    where r.host_id = ${hostId} ${asked}
    order by r.path, r.method, r.rail, r.scheme limit ${limit}`.execute(read)
  return found.rows.map((row) => ({ ...row, sources: namedIn(row.sources), places: placesIn(row.places) }))
}

/** How a host stands with the probers of one vantage. */
export interface TurnRow {
  vantage_id: number
  vantage: Vantage
  due_us: number | null
  lease_by: string | null
  not_before_us: number
  robots: string | null
}

/** With each vantage; none before the first has looked at the host. */
export async function readHostTurns(reader: Reader, hostId: number): Promise<TurnRow[]> {
  const found = await sql<TurnRow>`select t.vantage_id, coalesce(${vantageOf('t')}, ${NO_VANTAGE}) as vantage, t.due_us,
      t.lease_by, t.not_before_us, t.robots
    from host_turns as t where t.host_id = ${hostId} order by t.vantage_id`.execute(reader)
  return found.rows
}

/** What sources' newest sweeps refused of what they say of a host, as far as examples are kept. */
export async function readRefusalsNaming(
  reader: Reader,
  host: SellerHost,
  most: number,
): Promise<{ source: string; reason: string; item: string; startedUs: number }[]> {
  const pattern = `%${host.replaceAll(/[\\%_]/g, '\\$&')}%`
  const found = await sql<{ source: string; reason: string; item: string; started_us: number }>`
    select source, reason, item, started_us from refusals where lower(item) like ${pattern} escape '\\'
    order by source, reason, item limit ${most}`.execute(reader)
  return found.rows.map(({ source, reason, item, started_us }) => ({ source, reason, item, startedUs: started_us }))
}
