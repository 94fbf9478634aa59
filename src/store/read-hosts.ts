import { type RawBuilder, sql } from 'kysely'
import type { RESULT_COLUMN } from './result-columns.ts'
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
  readonly rail: string | null
  /** In the form in which names of one network are equal. */
  readonly networkKey: string | null
  readonly maxPrice: number | null
  /** Hosts where a route requested payment since then. */
  readonly requestedSinceUs: number | null
  readonly result: (typeof RESULT_COLUMN)[keyof typeof RESULT_COLUMN] | null
}

export type HostOrder = 'match' | 'host' | 'newest' | 'routes' | 'reviews'
/** Where a list of hosts continues: a name, the sorted value and the host's number, or how well it fits and its name. */
export type HostPosition =
  | readonly [string]
  | readonly [value: number, hostId: number]
  | readonly [score: number, name: string]

/** Which hosts a list is of; `m.score` says how well each fits where they were found by a search. */
export interface Among {
  readonly from: RawBuilder<unknown>
  readonly condition: RawBuilder<unknown>
}

const ALL: Among = { from: sql`hosts as h`, condition: sql`true` }

export const SORT_VALUE: Readonly<Record<Exclude<HostOrder, 'host'>, RawBuilder<number>>> = {
  match: sql`m.score`,
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
  among: Among = ALL,
): Promise<HostListRow[]> {
  const value = order === 'host' ? sql`0` : SORT_VALUE[order]
  const position = after === null ? sql`` : sql`and ${afterPosition(order, after)}`
  const found = await sql<HostListRow>`select h.name, c.*, ${value} as sort_value,
      (select min(s.price) from route_state as s where s.host_id = c.host_id) as price_min,
      (select max(s.price) from route_state as s where s.host_id = c.host_id) as price_max,
      (select 1 from routes as r where r.host_id = c.host_id and r.rail = 'x402' limit 1) as has_x402,
      (select 1 from routes as r where r.host_id = c.host_id and r.rail = 'mpp' limit 1) as has_mpp
    from ${among.from} join host_counters as c on c.host_id = h.host_id
    where ${among.condition} ${sql.join([...conditions(filter), position], sql` `)}
    order by ${HOST_ORDER[order]}
    limit ${limit}`.execute(store.read)
  return found.rows
}

/** How a list goes on, over hosts `h` with counters `c`. */
export const HOST_ORDER: Readonly<Record<HostOrder, RawBuilder<unknown>>> = {
  match: sql`m.score desc, h.name`,
  host: sql`h.name`,
  newest: sql`${SORT_VALUE.newest} desc, c.host_id desc`,
  routes: sql`${SORT_VALUE.routes} desc, c.host_id desc`,
  reviews: sql`${SORT_VALUE.reviews} desc, c.host_id desc`,
}

export function afterPosition(order: HostOrder, after: HostPosition): RawBuilder<unknown> {
  const [first, second] = after
  if (order === 'host') return sql`h.name > ${first}`
  if (order === 'match') return sql`(m.score < ${first} or (m.score = ${first} and h.name > ${second}))`
  return sql`(${SORT_VALUE[order]}, c.host_id) < (${first}, ${second})`
}

/** Up to this position and with it, written so that an index stops there. */
export function untilPosition(order: Exclude<HostOrder, 'match'>, end: HostPosition): RawBuilder<unknown> {
  const [first, second] = end
  if (order === 'host') return sql`h.name <= ${first}`
  return sql`(${SORT_VALUE[order]}, c.host_id) >= (${first}, ${second})`
}

function conditions({ rail, networkKey, maxPrice, result, requestedSinceUs }: HostFilter): RawBuilder<unknown>[] {
  const all: RawBuilder<unknown>[] = []
  if (requestedSinceUs !== null) all.push(sql`and c.newest_402_us >= ${requestedSinceUs}`)
  if (result !== null) all.push(sql`and ${sql.ref(`c.${result}`)} > 0`)
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
  excludedReviews: number
}

export async function readTotals(store: Store): Promise<Totals> {
  const found = await sql<Totals>`select count(*) as hosts, coalesce(sum(routes), 0) as routes,
    coalesce(sum(answers + correct_402 + failed + unreachable), 0) as probes,
    coalesce(sum(reviews_excluded), 0) as "excludedReviews" from host_counters`.execute(store.read)
  return found.rows[0] ?? { hosts: 0, routes: 0, probes: 0, excludedReviews: 0 }
}

/** The names around a text in their order: those that share its beginning. Costs the same however many hosts there are. */
export async function namesAround(store: Store, text: string, each: number): Promise<string[]> {
  const found = await sql<{ name: string }>`select name from
      (select name from hosts where name >= ${text} order by name limit ${each}) as a
    union select name from
      (select name from hosts where name < ${text} order by name desc limit ${each}) as b`.execute(store.read)
  return found.rows.map(({ name }) => name)
}
