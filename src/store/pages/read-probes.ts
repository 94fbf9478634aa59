import { type RawBuilder, sql } from 'kysely'
import type { Sight } from '../../domain/now/sights.ts'
import type { Vantage } from '../../domain/now/vantage.ts'
import type { Method, Rail, RouteKey, Scheme } from '../../domain/route.ts'
import type { RouteId } from '../hosts/route-ref.ts'
import { sightsIn } from '../probes/sight-rows.ts'
import { vantageIdOf, vantageOf } from '../probes/vantages.ts'
import type { JsonText, SightRow } from '../schema.ts'
import { type JsonRows, rowReader } from '../sql/json-rows.ts'
import { logIndexOf } from '../sql/log-index.ts'
import type { Store } from '../store.ts'
import { PROBE_COLUMNS, type ProbeRow } from './read-routes.ts'

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
const COLUMNS = {
  ...PROBE_COLUMNS,
  route_id: 'value',
  scheme: 'value',
  method: 'value',
  path: 'value',
  rail: 'value',
} as const

const probesIn = rowReader<HostProbeRow>(COLUMNS)

const ORDER = sql`order by p.at_us desc, p.route_id desc, p.status desc, p.latency_ms desc`

/** A host's entries, newest first. */
export async function readProbes(
  store: Store,
  hostId: number,
  filter: ProbeFilter,
  after: ProbePosition | null,
  most: number,
): Promise<HostProbeRow[]> {
  const from = await vantageIdOf(store.read, filter.vantage ?? null)
  if (from === undefined) return []
  const sights = filter.vantage == null ? null : await sightsFrom(store, hostId, filter, filter.vantage)
  if (sights?.length === 0) return []
  const limit = sights === null ? most : Math.min(most, entriesOf(sights))
  const wanted = conditions(filter)
  if (filter.path === null) {
    const isFrom = sights === null ? sql`` : sql`and p.vantage_id = ${from}`
    return listed(store, hostId, sql`${wanted} ${isFrom} ${isBefore(after)}`, limit)
  }
  // A route has fewer entries than a vantage: they are found as the route's, beginning where this vantage last looked.
  const newestUs = sights?.reduce((newest, { atUs }) => Math.max(newest, atUs), 0)
  const isFrom = newestUs === undefined ? sql`` : sql`and p.vantage_id + 0 = ${from} and p.at_us <= ${newestUs}`
  const position = sql`${isFrom} ${isBefore(after)}`
  // One path has a handful of routes; each is read from its own newest end, however long its history is.
  const routes = await sql<{ route_id: number }>`select r.route_id from routes as r
    where r.host_id = ${hostId} ${wanted}`.execute(store.read)
  const lists = await Promise.all(
    routes.rows.map(({ route_id }) => listed(store, hostId, sql`and p.route_id = ${route_id} ${position}`, limit)),
  )
  return lists
    .flat()
    .sort((a, b) => b.at_us - a.at_us || b.route_id - a.route_id || b.status - a.status || b.latency_ms - a.latency_ms)
    .slice(0, limit)
}

/** Of one route those before one of them, newest first. */
export const readRouteProbes = (
  store: Store,
  { hostId, routeId }: RouteId,
  after: ProbePosition,
  limit: number,
): Promise<HostProbeRow[]> => listed(store, hostId, sql`and p.route_id = ${routeId} ${isBefore(after)}`, limit)

const isBefore = (after: ProbePosition | null): RawBuilder<unknown> =>
  after ? sql`and (p.at_us, p.route_id, p.status, p.latency_ms) < (${sql.join(after)})` : sql``

async function listed(
  { read, dialect }: Store,
  hostId: number,
  conditions: RawBuilder<unknown>,
  limit: number,
): Promise<HostProbeRow[]> {
  const rows = dialect.jsonRows(
    COLUMNS,
    sql<HostProbeRow>`select ${FIELDS} from probes as p join routes as r on r.host_id = ${hostId} and r.route_id = p.route_id
      where p.host_id = ${hostId} ${conditions} ${ORDER} limit ${limit}`,
  )
  const found = await sql<{ rows: JsonRows<HostProbeRow> }>`select ${rows} as rows`.execute(read)
  return probesIn(found.rows[0]?.rows ?? '[]')
}

/** How many entries the filter has in all, from the counters. */
export async function countProbes(store: Store, hostId: number, filter: ProbeFilter): Promise<number> {
  if (filter.vantage != null) return entriesOf(await sightsFrom(store, hostId, filter, filter.vantage))
  const found = await sql<{ n: number | null }>`select sum(s.probes) as n from routes as r
    join route_state as s on s.host_id = ${hostId} and s.route_id = r.route_id
    where r.host_id = ${hostId} ${conditions(filter)}`.execute(store.read)
  return found.rows[0]?.n ?? 0
}

const entriesOf = (sights: readonly Sight[]): number => sights.reduce((sum, { entries }) => sum + entries, 0)

/** What a vantage sees of each route that it has looked at. */
async function sightsFrom(store: Store, hostId: number, filter: ProbeFilter, name: Vantage): Promise<Sight[]> {
  const found = await sql<{ sights: JsonText<SightRow[]> }>`select s.sights from routes as r
    join route_state as s on s.host_id = ${hostId} and s.route_id = r.route_id
    where r.host_id = ${hostId} and s.sights is not null ${conditions(filter)}`.execute(store.read)
  return found.rows.flatMap((row) => sightsIn(row.sights)).filter(({ vantage }) => vantage === name)
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
