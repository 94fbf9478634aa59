import { sql } from 'kysely'
import type { Vantage } from '../../domain/now/vantage.ts'
import type { Method, Rail, RouteKey, Scheme } from '../../domain/route.ts'
import { sightsIn } from '../probes/sight-rows.ts'
import { vantageIdOf, vantageOf } from '../probes/vantages.ts'
import type { JsonText, SightRow } from '../schema.ts'
import { logIndexOf } from '../sql/log-index.ts'
import type { Store } from '../store.ts'
import type { ProbeRow } from './read-host.ts'

export interface HostProbeRow extends ProbeRow, RouteKey {
  route_id: number
}

/** Which routes' entries are wanted; `null` is any. */
export interface ProbeFilter {
  readonly method: Method | null
  readonly path: string | null
  readonly rail: Rail | null
  readonly scheme?: Scheme | null
  readonly vantage?: Vantage | null
}

/** Where a list of entries continues: before this one, newest first. */
export type ProbePosition = readonly [atUs: number, routeId: number, status: number, latencyMs: number]

const FIELDS = sql`p.at_us, p.status, p.latency_ms, p.error, p.shield, ${vantageOf('p')} as vantage, p.route_id, r.scheme, r.method, r.path, r.rail,
  (select body from challenges as b where b.host_id = p.host_id and b.challenge_id = p.challenge_id) as challenge,
  ${logIndexOf('p.log_id')} as log_index`
const ORDER = sql`order by p.at_us desc, p.route_id desc, p.status desc, p.latency_ms desc`

/** A host's entries, newest first. */
export async function readProbes(
  store: Store,
  hostId: number,
  filter: ProbeFilter,
  after: ProbePosition | null,
  limit: number,
): Promise<HostProbeRow[]> {
  const from = await vantageIdOf(store.read, filter.vantage ?? null)
  if (from === undefined) return []
  const isFrom = from === null ? sql`` : sql`and p.vantage_id = ${from}`
  const before = after ? sql`and (p.at_us, p.route_id, p.status, p.latency_ms) < (${sql.join(after)})` : sql``
  const position = sql`${isFrom} ${before}`
  const wanted = conditions(filter)
  if (filter.path === null) {
    const found = await sql<HostProbeRow>`select ${FIELDS} from probes as p
      join routes as r on r.host_id = ${hostId} and r.route_id = p.route_id
      where p.host_id = ${hostId} ${wanted} ${position} ${ORDER} limit ${limit}`.execute(store.read)
    return found.rows
  }
  // One path has a handful of routes; each is read from its own newest end, however long its history is.
  const routes = await sql<{ route_id: number }>`select r.route_id from routes as r
    where r.host_id = ${hostId} ${wanted}`.execute(store.read)
  const lists = await Promise.all(
    routes.rows.map(({ route_id }) =>
      sql<HostProbeRow>`select ${FIELDS} from probes as p
        join routes as r on r.host_id = ${hostId} and r.route_id = p.route_id
        where p.host_id = ${hostId} and p.route_id = ${route_id} ${position} ${ORDER} limit ${limit}`.execute(
        store.read,
      ),
    ),
  )
  return lists
    .flatMap((list) => list.rows)
    .sort((a, b) => b.at_us - a.at_us || b.route_id - a.route_id || b.status - a.status || b.latency_ms - a.latency_ms)
    .slice(0, limit)
}

/** How many entries the filter has in all, from the counters. */
export async function countProbes(store: Store, hostId: number, filter: ProbeFilter): Promise<number> {
  if (filter.vantage != null) return countFrom(store, hostId, filter, filter.vantage)
  const found = await sql<{ n: number | null }>`select sum(s.probes) as n from routes as r
    join route_state as s on s.host_id = ${hostId} and s.route_id = r.route_id
    where r.host_id = ${hostId} ${conditions(filter)}`.execute(store.read)
  return found.rows[0]?.n ?? 0
}

async function countFrom(store: Store, hostId: number, filter: ProbeFilter, name: Vantage): Promise<number> {
  const found = await sql<{ sights: JsonText<SightRow[]> }>`select s.sights from routes as r
    join route_state as s on s.host_id = ${hostId} and s.route_id = r.route_id
    where r.host_id = ${hostId} and s.sights is not null ${conditions(filter)}`.execute(store.read)
  const sights = found.rows.flatMap((row) => sightsIn(row.sights)).filter(({ vantage }) => vantage === name)
  return sights.reduce((sum, { entries }) => sum + entries, 0)
}

const conditions = ({ method, path, rail, scheme = null }: ProbeFilter) =>
  sql.join(
    [
      ...(method === null ? [] : [sql`and r.method = ${method}`]),
      ...(path === null ? [] : [sql`and r.path = ${path}`]),
      ...(rail === null ? [] : [sql`and r.rail = ${rail}`]),
      ...(scheme === null ? [] : [sql`and r.scheme = ${scheme}`]),
      sql``,
    ],
    sql` `,
  )
