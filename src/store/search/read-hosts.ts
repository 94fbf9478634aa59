import { type RawBuilder, sql } from 'kysely'
import type { ProbeStatus } from '../../domain/probe.ts'
import type { Rail } from '../../domain/route.ts'
import { BIT_OF_COLUMN, type RESULT_COLUMN } from '../hosts/result-columns.ts'
import type { Dialect, Row, Rows } from '../sql/dialect.ts'
import { type JsonColumns, type JsonRows, rowReader } from '../sql/json-rows.ts'
import { fromParts } from '../sql/parts.ts'
import { fromRetired, isThere } from '../sql/retired.ts'
import { RowsStatement } from '../sql/rows-statement.ts'
import type { Store } from '../store.ts'

export interface HostFilter {
  readonly rail: Rail | null
  /** In the form in which names of one network are equal. */
  readonly networkKey: string | null
  readonly maxPrice: number | null
  /** How the newest live challenge of a route compares with what is listed. */
  readonly check: ProbeStatus | null
  /** Hosts where a route requested payment since then. */
  readonly requestedSinceUs: number | null
  /** Hosts with an entry of that class. */
  readonly result: (typeof RESULT_COLUMN)[keyof typeof RESULT_COLUMN] | null
  /** Hosts that their seller retired: with the others, or alone; `null` leaves them out. */
  readonly retired: Retired | null
}

export const RETIRED = ['with', 'only'] as const
export type Retired = (typeof RETIRED)[number]

export type HostOrder = 'match' | 'host' | 'price' | 'latency' | 'newest' | 'routes' | 'reviews'
/** Where a list of hosts continues: a name, the sorted value and the host's number, or how well it fits and its name. */
export type HostPosition =
  | readonly [string]
  | readonly [value: number, hostId: number]
  | readonly [score: number, name: string]

/** After every price. */
export const NO_PRICE = sql`-9007199254740991`

/** How a list is ordered, over counters `c`: each an index of its own. */
export const SORT_VALUE: Readonly<Record<Exclude<HostOrder, 'match' | 'host'>, RawBuilder<number>>> = {
  // The least first; what has none last.
  price: sql`coalesce(-c.price_min, ${NO_PRICE})`,
  latency: sql`coalesce(-c.median_sum_ms, -9007199254740991)`,
  newest: sql`coalesce(c.newest_probe_us, -1)`,
  routes: sql`c.routes`,
  reviews: sql`(c.reviews_verified * 10000000 + c.reviews_signed)`,
}

/** A host and where it stands in a list: by its name, by a value and its number, or by how well it fits and its name. */
export interface HostStanding {
  readonly host_id: number
  readonly name: string
  readonly sort_value: number
}

/** One that fits. */
export interface HostPlace extends HostStanding {
  /** As of its counters: what was read of the host with the same one still stands. */
  readonly version: number
}

interface Found<T> {
  readonly found: JsonRows<T>
}

/** They may be thousands: as one text they are read in a third of the time. */
const asText = <T>(dialect: Dialect, columns: JsonColumns, asked: RawBuilder<unknown>): RawBuilder<Found<T>> =>
  sql<Found<T>>`select ${dialect.jsonRows(columns, asked)} as found`

const STANDING_COLUMNS = { host_id: 'value', name: 'value', sort_value: 'value' } as const
const standingsIn = rowReader<HostStanding>(STANDING_COLUMNS)

const PLACE_COLUMNS = { ...STANDING_COLUMNS, version: 'value' } as const
const placesIn = rowReader<HostPlace>(PLACE_COLUMNS)

/** Where a list in this order goes on after a host. */
export function positionAt(order: HostOrder, { host_id, name, sort_value }: HostStanding): HostPosition {
  if (order === 'host') return [name]
  return order === 'match' ? [sort_value, name] : [sort_value, host_id]
}

/** The next hosts of all in this order. Reads so many rows of the order's index, wherever it goes on from. */
export async function nextHosts(
  store: Store,
  order: HostOrder,
  after: HostPosition | null,
  most: number,
): Promise<HostStanding[]> {
  const read = async (asked: RawBuilder<unknown>): Promise<HostStanding[]> => {
    const { rows } = await asText<HostStanding>(store.dialect, STANDING_COLUMNS, asked).execute(store.read)
    return rows.flatMap(({ found }) => standingsIn(found))
  }
  if (order === 'host' || order === 'match') {
    const from = after === null ? sql`` : sql`where name > ${after[0]}`
    return read(sql`select host_id, name, 0 as sort_value from hosts ${from} order by name limit ${most}`)
  }
  const value = SORT_VALUE[order]
  const some = (rest: RawBuilder<unknown>): Promise<HostStanding[]> =>
    read(sql`select c.host_id, '' as name, ${value} as sort_value from host_counters as c ${rest}`)
  const byValue = sql`order by ${value} desc, c.host_id desc`
  if (after === null) return some(sql`${byValue} limit ${most}`)
  const [first, second] = after
  // Two ranges: SQLite seeks no pair in an index of an expression. Most hosts may share one value, and ordered by that
  // value too they would all be sorted.
  const equal = await some(
    sql`where ${value} = ${first} and c.host_id < ${second} order by c.host_id desc limit ${most}`,
  )
  const left = most - equal.length
  return left === 0 ? equal : [...equal, ...(await some(sql`where ${value} < ${first} ${byValue} limit ${left}`))]
}

interface Wanted {
  /** Over counters `c`. */
  readonly value?: RawBuilder<unknown>
  /** Over hosts `h` with counters `c`; `null` where there is none. */
  readonly condition?: RawBuilder<unknown> | null
  /** Whether names are wanted: each is a row more to read. */
  readonly isNamed?: boolean
}

/** Those of these hosts that fit, in no order. */
export async function fittingHosts(
  store: Store,
  hostIds: readonly number[],
  filter: HostFilter,
  wanted: Wanted,
): Promise<HostPlace[]> {
  const isPlain = !hasConditions(filter) && wanted.value === undefined && !wanted.condition
  return fromParts(store, hostIds, async ({ read, dialect }, own) => {
    const hosts = own.map((hostId): Row => [hostId])
    const rows = isPlain
      ? await (wanted.isNamed ? SOLD_NAMED : SOLD).run(read, dialect, hosts)
      : (await fitting(dialect, hosts, filter, wanted).execute(read)).rows
    return rows.flatMap(({ found }) => placesIn(found))
  })
}

const fitting = (
  dialect: Dialect,
  hosts: Rows,
  filter: HostFilter,
  { value = sql`0`, condition = null, isNamed = false }: Wanted,
): RawBuilder<Found<HostPlace>> =>
  asText(
    dialect,
    PLACE_COLUMNS,
    sql`select h.host_id, ${isNamed ? sql`(select n.name from hosts as n where n.host_id = h.host_id)` : sql`''`} as name,
        ${value} as sort_value, c.version
      from ${dialect.hostRows({ host_id: 'int' }, hosts)} as h cross join host_counters as c
      where c.host_id = h.host_id ${sql.join([...conditions(filter), sql``], sql` `)} and ${condition ?? sql`true`}`,
  )

const NO_FILTER: HostFilter = {
  ...{ rail: null, networkKey: null, maxPrice: null, check: null, requestedSinceUs: null, result: null, retired: null },
}

/** What most lists and searches ask. */
const SOLD = new RowsStatement((dialect, hosts) => fitting(dialect, hosts, NO_FILTER, {}))
const SOLD_NAMED = new RowsStatement((dialect, hosts) => fitting(dialect, hosts, NO_FILTER, { isNamed: true }))

/** A host by one of its words. */
export interface WordPlace extends HostPlace {
  readonly word: string
}

const WORD_COLUMNS = { ...PLACE_COLUMNS, word: 'value' } as const
const wordsIn = rowReader<WordPlace>(WORD_COLUMNS)

/** Hosts by one of their words: places `p` of the search index that fit, in its order. */
export async function readByWord(
  store: Store,
  filter: HostFilter,
  condition: RawBuilder<unknown>,
  limit: number,
): Promise<WordPlace[]> {
  const list = store.dialect.jsonRows(
    WORD_COLUMNS,
    sql<WordPlace>`select h.host_id, h.name, 0 as sort_value, c.version, p.word
      from search_places as p cross join hosts as h join host_counters as c on c.host_id = h.host_id
      where h.host_id = p.host_id ${sql.join([...conditions(filter), sql``], sql` `)} and ${condition}
      order by p.word, p.host_id limit ${limit}`,
  )
  const found = await sql<{ list: JsonRows<WordPlace> }>`select ${list} as list`.execute(store.read)
  return found.rows.flatMap((row) => wordsIn(row.list))
}

/**
 * That a subquery has a row, asked of each host on the walk. Postgres turns `exists` into a join and then walks everything
 * else in another order than the list's; a value it leaves where it is. Of one that it compares with null it expects that hardly any
 * host fits, and then holds every host that is asked about against the counters of all.
 */
export const someRow = (from: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`coalesce((select true ${from} limit 1), false)`
export const noRow = (from: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`coalesce((select false ${from} limit 1), true)`

/** Whether it leaves any host out beside those that their seller retired. */
export const hasConditions = (filter: HostFilter): boolean => Object.values(filter).some((value) => value !== null)

/** Whether a host may have a route of this price check, by its counters. */
const CHECKED: Readonly<Record<ProbeStatus, RawBuilder<unknown>>> = {
  verified: sql`c.routes_verified > 0`,
  differs: sql`c.routes_differs > 0`,
  unverified: sql`c.routes > 0`,
}

/** Whether a filter asks what probes saw of a route: one such condition alone is asked of the host. */
export const isOfProbes = ({ requestedSinceUs, result }: HostFilter): boolean =>
  requestedSinceUs !== null || result !== null

/** Whether a filter asks for a route: for anything that a route is, or for two things that probes saw of it. */
export const isOfRoutes = ({ rail, networkKey, maxPrice, check, requestedSinceUs, result }: HostFilter): boolean =>
  [rail, networkKey, maxPrice, check].some((value) => value !== null) || (requestedSinceUs !== null && result !== null)

/** What a filter asks of a route `r` with state `s`, networks apart; names neither unless it asks something of it. */
export const onRoute = (filter: HostFilter): RawBuilder<unknown> =>
  sql`${filter.rail === null ? sql`` : sql`and r.rail = ${filter.rail}`}
    ${filter.requestedSinceUs === null ? sql`` : sql`and s.last_402_us >= ${filter.requestedSinceUs}`}
    ${filter.result === null ? sql`` : sql`and (s.results & ${sql.lit(BIT_OF_COLUMN[filter.result])}) > 0`}
    ${isPriced(filter) ? sql`and s.price <= ${filter.maxPrice}` : sql``}
    ${filter.check === null || filter.networkKey !== null ? sql`` : sql`and s.probe_status = ${filter.check}`}`

/** Whether the price of a route is asked for. With a network it is that of a row there. */
const isPriced = ({ maxPrice, networkKey }: HostFilter): boolean => maxPrice !== null && networkKey === null

/**
 * What a filter asks of a row `l` of a route with state `s`: on its network one stands now that costs no more and is checked so.
 * `last`: what is joined last of what has the route's number; other rows are looked for once it fits.
 */
export const onRow = ({ networkKey, maxPrice, check }: HostFilter, last: 'l' | 's' = 'l'): RawBuilder<unknown> =>
  sql`and l.network_key = ${networkKey} and ${stands(last)}
    ${maxPrice === null ? sql`` : sql`and l.price >= 0 and l.price <= ${maxPrice}`}
    ${check === null ? sql`` : sql`and ${ROW_STATUS} = ${check}`}`

/** That a row `l`, of which a negative price is none, is one that gives its route with state `s` what it costs. */
export const IS_OWN = sql`l.network = s.network and (l.price = s.price or (s.price is null and l.price < 0))`

/** The price check of a row `l`: no challenge was compared with any other than those. */
export const ROW_STATUS = sql`case when ${IS_OWN} then s.probe_status else 'unverified' end`

/** That its source still names a row `l` and says nothing newer of the same network. */
const stands = (
  last: 'l' | 's',
): RawBuilder<unknown> => sql`l.gone_us is null and not exists (select 1 from listings as o
  where o.host_id = l.host_id and o.route_id = ${sql.ref(`${last}.route_id`)} and o.source = l.source and o.network_key = l.network_key
    and o.gone_us is null and o.last_us > l.last_us and (o.one_of_several = 0 or l.one_of_several = 0))`

/** What a filter asks of counters `c`: what a host needs for a route that fits. */
function ofCounters(filter: HostFilter): RawBuilder<unknown>[] {
  const { check, result, requestedSinceUs, maxPrice } = filter
  const all: RawBuilder<unknown>[] = []
  if (requestedSinceUs !== null) all.push(sql`and c.newest_402_us >= ${requestedSinceUs}`)
  if (result !== null) all.push(sql`and ${sql.ref(`c.${result}`)} > 0`)
  if (check !== null) all.push(sql`and ${CHECKED[check]}`)
  if (isPriced(filter)) all.push(sql`and c.price_min <= ${maxPrice}`)
  return all
}

/**
 * The number of a host, as a subquery about its routes names it. SQLite asks each as soon as it has what it names: after the
 * counters where these leave hosts out, and before them where all that is asked is of routes.
 */
export const hostIn = (filter: HostFilter): RawBuilder<unknown> =>
  ofCounters(filter).length > 0 ? sql`c.host_id` : sql`h.host_id`

/** What a filter asks of hosts `h` with counters `c`: of routes that are there. Reads no more tables than it must. */
function conditions(filter: HostFilter): RawBuilder<unknown>[] {
  const { rail, networkKey, check, retired } = filter
  const all = ofCounters(filter)
  if (retired === null) all.push(sql`and ${noRow(fromRetired('c'))}`)
  if (retired === 'only') all.push(sql`and ${someRow(fromRetired('c'))}`)
  const isStated = isPriced(filter) || check !== null || (isOfProbes(filter) && isOfRoutes(filter))
  const host = hostIn(filter)
  const onRoutes = (first: 'l' | 'r' | 's', tables: RawBuilder<unknown>, onFirst = sql``): RawBuilder<unknown> => {
    const state = isStated && first !== 's'
    const beside = state
      ? sql`join route_state as s on s.host_id = ${sql.ref(`${first}.host_id`)}
      and s.route_id = ${sql.ref(`${first}.route_id`)}`
      : sql``
    return sql`and ${someRow(sql`from ${tables} ${beside} where ${sql.ref(`${first}.host_id`)} = ${host} ${onFirst}
      ${onRoute(filter)} and ${isThere(isStated ? 's' : first, host)}`)}`
  }
  const onRail = rail === null ? sql`` : sql`join routes as r on r.host_id = l.host_id and r.route_id = l.route_id`
  if (networkKey !== null) all.push(onRoutes('l', sql`listings as l ${onRail}`, onRow(filter, isStated ? 's' : 'l')))
  else if (rail !== null) all.push(onRoutes('r', sql`routes as r`))
  else if (isStated) all.push(onRoutes('s', sql`route_state as s`))
  return all
}

/** The names around a text in their order: those that share its beginning. Costs the same however many hosts there are. */
export async function namesAround(store: Store, text: string, each: number): Promise<string[]> {
  const found = await sql<{ name: string }>`select name from
      (select name from hosts where name >= ${text} order by name limit ${each}) as a
    union select name from
      (select name from hosts where name < ${text} order by name desc limit ${each}) as b`.execute(store.read)
  return found.rows.map(({ name }) => name)
}
