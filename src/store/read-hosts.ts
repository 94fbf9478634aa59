import { type RawBuilder, sql } from 'kysely'
import type { RESULT_COLUMN } from './deltas.ts'
import type { HostCounters } from './schema.ts'
import type { Store } from './store.ts'

export interface HostListRow extends HostCounters {
  name: string
  price_min: number | null
  price_max: number | null
  has_x402: number | null
  has_mpp: number | null
  /** What the list is ordered by. */
  sort_value: number
}

export interface HostFilter {
  readonly q: string | null
  readonly rail: string | null
  /** In the form in which names of one network are equal. */
  readonly networkKey: string | null
  readonly maxPrice: number | null
  readonly result: (typeof RESULT_COLUMN)[keyof typeof RESULT_COLUMN] | null
}

export type HostOrder = 'host' | 'newest' | 'routes' | 'reviews'
/** Where a list of hosts continues: a name, or the sorted value and the host's number. */
export type HostPosition = readonly [string] | readonly [value: number, hostId: number]

const SORT_VALUE: Readonly<Record<Exclude<HostOrder, 'host'>, RawBuilder<number>>> = {
  newest: sql`coalesce(c.newest_probe_us, -1)`,
  routes: sql`c.routes`,
  reviews: sql`(c.reviews_verified + c.reviews_signed + c.reviews_unsigned)`,
}

/** One page of hosts. Filters on routes hold for one and the same route. */
export async function readHosts(
  store: Store,
  filter: HostFilter,
  order: HostOrder,
  after: HostPosition | null,
  limit: number,
): Promise<HostListRow[]> {
  const value = order === 'host' ? sql`0` : SORT_VALUE[order]
  const position =
    after === null
      ? sql``
      : order === 'host'
        ? sql`and h.name > ${after[0]}`
        : sql`and (${value}, c.host_id) < (${sql.join([...after])})`
  const found = await sql<HostListRow>`select h.name, c.*, ${value} as sort_value,
      (select min(s.price) from route_state as s where s.host_id = c.host_id) as price_min,
      (select max(s.price) from route_state as s where s.host_id = c.host_id) as price_max,
      (select 1 from routes as r where r.host_id = c.host_id and r.rail = 'x402' limit 1) as has_x402,
      (select 1 from routes as r where r.host_id = c.host_id and r.rail = 'mpp' limit 1) as has_mpp
    from hosts as h join host_counters as c on c.host_id = h.host_id
    where true ${sql.join([...conditions(filter), position], sql` `)}
    order by ${order === 'host' ? sql`h.name` : sql`${value} desc, c.host_id desc`}
    limit ${limit}`.execute(store.read)
  return found.rows
}

function conditions({ q, rail, networkKey, maxPrice, result }: HostFilter): RawBuilder<unknown>[] {
  const all: RawBuilder<unknown>[] = []
  if (result !== null) all.push(sql`and ${sql.ref(`c.${result}`)} > 0`)
  if (q !== null) {
    const like = `%${q.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
    all.push(sql`and (h.name like ${like} escape '\\' or exists (select 1 from routes as r
      where r.host_id = h.host_id and lower(r.path) like ${like} escape '\\'))`)
  }
  const ofRoute: RawBuilder<unknown>[] = []
  if (rail !== null) ofRoute.push(sql`and r.rail = ${rail}`)
  if (maxPrice !== null) ofRoute.push(sql`and s.price <= ${maxPrice}`)
  if (networkKey !== null) {
    ofRoute.push(sql`and exists (select 1 from listings as l
      where l.host_id = r.host_id and l.route_id = r.route_id and l.network_key = ${networkKey})`)
  }
  if (ofRoute.length > 0) {
    all.push(sql`and exists (select 1 from routes as r
      join route_state as s on s.host_id = r.host_id and s.route_id = r.route_id
      where r.host_id = h.host_id ${sql.join(ofRoute, sql` `)})`)
  }
  return all
}

export interface Totals {
  hosts: number
  routes: number
  probes: number
}

export async function readTotals(store: Store): Promise<Totals> {
  const found = await sql<Totals>`select count(*) as hosts, coalesce(sum(routes), 0) as routes,
    coalesce(sum(answers + correct_402 + failed + unreachable), 0) as probes from host_counters`.execute(store.read)
  return found.rows[0] ?? { hosts: 0, routes: 0, probes: 0 }
}

/** The names around a text in their order: those that share its beginning. Costs the same however many hosts there are. */
export async function namesAround(store: Store, text: string, each: number): Promise<string[]> {
  const found = await sql<{ name: string }>`select name from
      (select name from hosts where name >= ${text} order by name limit ${each}) as a
    union select name from
      (select name from hosts where name < ${text} order by name desc limit ${each}) as b`.execute(store.read)
  return found.rows.map(({ name }) => name)
}
