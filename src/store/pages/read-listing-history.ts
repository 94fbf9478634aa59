import { type RawBuilder, sql } from 'kysely'
import type { Method, Rail, Scheme } from '../../domain/route.ts'
import type { Reader } from '../schema.ts'
import type { Dialect } from '../sql/dialect.ts'
import { type JsonRows, rowReader } from '../sql/json-rows.ts'
import type { Store } from '../store.ts'
import type { RoutePosition } from './read-routes.ts'

/** From when to when a source named something. */
export interface NamedRow {
  source: string
  first_us: number
  last_us: number
  /** Of its newest end; null while any of its rows is named. */
  gone_us: number | null
}

/** The same of a whole host, with how many of its routes. */
export interface HostNamedRow extends NamedRow {
  routes: number
  routes_named: number
}

export interface NamedRouteRow {
  scheme: Scheme
  method: Method
  path: string
  rail: Rail
  sources: NamedRow[]
}

/** From the rows of `listings`, grouped by source. */
const NAMED = sql`source, min(first_us) as first_us, max(last_us) as last_us,
  case when count(*) = count(gone_us) then max(gone_us) end as gone_us`

const NAMED_COLUMNS = { source: 'value', first_us: 'value', last_us: 'value', gone_us: 'value' } as const

/** The sources that named the route `r` of a host, read by `namedIn`. */
export const namedSources = (dialect: Dialect, hostId: number): RawBuilder<JsonRows<NamedRow>> =>
  dialect.jsonRows(
    NAMED_COLUMNS,
    sql<NamedRow>`select ${NAMED} from listings where host_id = ${hostId} and route_id = r.route_id group by source order by source`,
  )

export const namedIn = rowReader<NamedRow>(NAMED_COLUMNS)

/** Which sources named any route of a host. */
export async function readSourcesOfHost(reader: Reader, hostId: number): Promise<HostNamedRow[]> {
  const found = await sql<HostNamedRow>`select ${NAMED}, count(distinct route_id) as routes,
      count(distinct case when gone_us is null then route_id end) as routes_named
    from listings where host_id = ${hostId} group by source order by source`.execute(reader)
  return found.rows
}

/** A host's routes in their order, each with the sources that named it. */
export async function readNamedRoutes(
  { read, dialect }: Store,
  hostId: number,
  after: RoutePosition | null,
  limit: number,
): Promise<NamedRouteRow[]> {
  const position: RawBuilder<unknown> = after
    ? sql`and (r.path, r.method, r.rail, r.scheme) > (${sql.join(after)})`
    : sql``
  const found = await sql<Omit<NamedRouteRow, 'sources'> & { sources: JsonRows<NamedRow> }>`select r.scheme, r.method,
      r.path, r.rail, ${namedSources(dialect, hostId)} as sources
    from routes as r where r.host_id = ${hostId} ${position}
    order by r.path, r.method, r.rail, r.scheme limit ${limit}`.execute(read)
  return found.rows.map((row) => ({ ...row, sources: namedIn(row.sources) }))
}
