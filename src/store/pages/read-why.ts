import { sql } from 'kysely'
import type { SellerHost } from '../../domain/host.ts'
import type { ProbeResult } from '../../domain/probe.ts'
import type { Reader } from '../schema.ts'
import type { JsonRows } from '../sql/json-rows.ts'
import { isRetired } from '../sql/retired.ts'
import { isTemplateLike } from '../sql/template-like.ts'
import type { Store } from '../store.ts'
import { NAMED, NAMED_COLUMNS, type NamedRouteRow, type NamedRow, namedIn } from './read-listing-history.ts'

/** A route with who named it and where it stands in the schedule of probes. */
export interface ScheduledRouteRow extends NamedRouteRow {
  /** 0: no prober has looked at it yet. */
  scheduled: number
  due_us: number | null
  probed_us: number | null
  last_result: ProbeResult | null
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
  vantageId: number,
  path: string | null,
  limit: number,
): Promise<ScheduledRouteRow[]> {
  const sources = dialect.jsonRows(
    NAMED_COLUMNS,
    sql`select ${NAMED} from listings where host_id = ${hostId} and route_id = r.route_id group by source order by source`,
  )
  const asked = path === null ? sql`` : sql`and (r.path = ${path} or ${isTemplateLike(sql`r.path`)})`
  const found = await sql<Omit<ScheduledRouteRow, 'sources'> & { sources: JsonRows<NamedRow> }>`
    select r.scheme, r.method, r.path, r.rail, ${sources} as sources,
      case when s.route_id is null then 0 else 1 end as scheduled, s.due_us, s.probed_us, s.last_result,
      o.newest_probe_us as newest_us, (select p.status from probes as p where p.host_id = ${hostId}
        and p.route_id = r.route_id and p.at_us = o.newest_probe_us
        order by p.status desc limit 1) as newest_status,
      case when ${isRetired('r', sql`${hostId}`)} then 1 else 0 end as is_retired,
      case when exists (select 1 from unlisted as u where u.host_id = ${hostId} and u.route_id = r.route_id)
        then 1 else 0 end as is_unlisted
    from routes as r left join schedule as s
      on s.host_id = r.host_id and s.vantage_id = ${vantageId} and s.route_id = r.route_id
    left join route_state as o on o.host_id = r.host_id and o.route_id = r.route_id
    where r.host_id = ${hostId} ${asked}
    order by r.path, r.method, r.rail, r.scheme limit ${limit}`.execute(read)
  return found.rows.map((row) => ({ ...row, sources: namedIn(row.sources) }))
}

/**
 * How a host stands with probers; `undefined` before the first has looked at it. Where several vantages look, with the one
 * whose next turn is the furthest: one that nobody works on any more stays behind.
 */
export const readTurn = (reader: Reader, hostId: number) =>
  reader
    .selectFrom('host_turns')
    .select(['vantage_id', 'due_us', 'lease_by', 'not_before_us', 'robots'])
    .where('host_id', '=', hostId)
    .orderBy(sql`coalesce(due_us, -1)`, 'desc')
    .orderBy('vantage_id')
    .limit(1)
    .executeTakeFirst()

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
