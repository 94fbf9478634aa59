import { sql } from 'kysely'
import type { Challenge } from '../../domain/challenge.ts'
import type { Listing } from '../../domain/listing.ts'
import { priceChanges, routeFacts } from '../../domain/money/route-price.ts'
import type { Rail } from '../../domain/route.ts'
import type { HostTransaction } from '../hosts/host-transaction.ts'
import { byRouteId, hostIdsOf, type Placed, type RouteId, routeText } from '../hosts/route-ref.ts'
import { reviewedHosts } from '../reviews/exclude.ts'
import { checkForPrices } from '../reviews/review-checks.ts'
import type { JsonText, Reader } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { groupBy } from '../sql/group.ts'
import { readJson } from '../sql/json.ts'
import { RowsStatement } from '../sql/rows-statement.ts'
import { announceFacts, type FactChange } from './fact-change.ts'
import { type ListingColumns, type ListingInput, listingOf, UNKNOWN_NETWORK, UNKNOWN_PRICE } from './listings.ts'
import { type FactColumns, factsIn, NO_FACTS, saveFacts } from './route-state.ts'

interface FactRow extends ListingColumns, Omit<FactColumns, 'price' | 'network'> {
  host_id: number
  route_id: number
  rail: Rail
  challenge: JsonText<Challenge> | null
  old_price: number | null
  old_network: string | null
  listed: number
}

/**
 * Routes whose facts these listings may change, before they are saved. Most sweeps say what was said before: a row that its
 * source already stands by, alone on its network, only moves its time.
 */
export async function routesWithNews(
  reader: Reader,
  dialect: Dialect,
  listings: readonly Placed<ListingInput>[],
): Promise<RouteId[]> {
  if (listings.length === 0) return []
  const rows = listings.map(
    ({ at, source, price, network, goneUs }): Row => [
      at.hostId,
      at.routeId,
      source,
      price ?? UNKNOWN_PRICE,
      network ?? UNKNOWN_NETWORK,
      goneUs ?? null,
    ],
  )
  const found = await READ_NEWS.run(reader, dialect, rows)
  return found.map((row) => ({ hostId: row.host_id, routeId: row.route_id }))
}

const SAID = {
  host_id: 'int',
  route_id: 'int',
  source: 'text',
  price: 'int',
  network: 'text',
  gone_us: 'int',
} as const

const READ_NEWS = new RowsStatement((dialect, rows) => {
  // Each column of `v` is named once where it can be: SQLite reads it from the batch's JSON every time.
  const known = sql`(select 1 from listings as l cross join route_state as s
    where l.host_id = v.host_id and l.route_id = v.route_id and l.source = v.source and l.price = v.price
      and l.network = v.network and l.gone_us is null and v.gone_us is null ${dialect.among('l.host_id', rows)}
      and s.host_id = l.host_id and s.route_id = l.route_id and s.listed = 1 ${dialect.among('s.host_id', rows)}
      and not exists (select 1 from listings as o
        where o.host_id = l.host_id and o.route_id = l.route_id and o.source = l.source
          and (o.price <> l.price or o.network <> l.network) and o.network_key = l.network_key
          and o.last_us >= l.last_us ${dialect.among('o.host_id', rows)}))`
  return sql<{ host_id: number; route_id: number }>`select distinct host_id, route_id
    from (select v.host_id, v.route_id, ${known} as known from ${dialect.hostRows(SAID, rows)} as v) as asked
    where known is null`
})

/** The facts of routes that nothing was known of before these listings, and that nobody has probed: nothing need be read. */
export function firstFacts(listings: readonly Placed<ListingInput>[]): FactChange[] {
  const groups = groupBy(listings, ({ at }) => routeText(at))
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(({ at, rail }) => ({
      hostId: at.hostId,
      routeId: at.routeId,
      before: NO_FACTS,
      after: routeFacts(rail, group, null),
      isNew: true,
      prices: [],
    })),
  )
}

/** Routes whose facts may be others than what is stored. */
export interface DoubtfulRoutes {
  readonly routes: Iterable<RouteId>
  /** Nobody named the route any more, until now. */
  readonly isRelisted?: (route: RouteId) => boolean
  /** The rows of these routes before; without them no change of a source's price is found. */
  readonly before?: RouteRows
}

/** Listing rows by `routeText`. */
export type RouteRows = ReadonlyMap<string, readonly Listing[]>

export async function readRows(reader: Reader, dialect: Dialect, routes: readonly RouteId[]): Promise<RouteRows> {
  if (routes.length === 0) return new Map()
  const rows = routes.toSorted(byRouteId).map((key): Row => [key.hostId, key.routeId])
  const found = await sql<
    ListingColumns & { host_id: number; route_id: number }
  >`select l.host_id, l.route_id, l.source,
      l.price, l.network, l.first_us, l.last_us, l.gone_us, l.one_of_several
    from ${dialect.rows({ host_id: 'int', route_id: 'int' }, rows)} as v cross join listings as l
    where l.host_id = v.host_id and l.route_id = v.route_id
      ${dialect.among('l.host_id', hostIdsOf(routes))}`.execute(reader)
  const groups = groupBy(found.rows, (row) => `${row.host_id}/${row.route_id}`)
  return new Map([...groups].map(([route, group]) => [route, group.map(listingOf)]))
}

/** After everything that facts follow from is saved: finds them anew where they are doubtful, and announces what changed. */
export async function refreshFacts(transaction: HostTransaction, doubtful: DoubtfulRoutes): Promise<void> {
  const { writer, dialect, announceUs } = transaction
  const routes = [...new Map([...doubtful.routes].map((route) => [routeText(route), route])).values()]
  if (routes.length === 0) return
  const changed = await changedFacts(writer, dialect, { ...doubtful, routes })
  await saveFacts(transaction, changed)
  announceFacts(transaction, changed)
  const reviewed = await reviewedHosts(writer, dialect, new Set(routes.map(({ hostId }) => hostId)))
  const waiting = routes.filter(({ hostId }) => reviewed.has(hostId))
  await checkForPrices(writer, dialect, waiting, announceUs ?? 0)
}

/** Facts of these routes, each named once, found again from their rows: those that changed, or of which a source says another price. */
async function changedFacts(
  reader: Reader,
  dialect: Dialect,
  { routes, isRelisted = () => false, before = new Map() }: DoubtfulRoutes,
): Promise<FactChange[]> {
  const found = await readFacts(reader, dialect, [...routes].sort(byRouteId), before)
  return found
    .map((change) => (isRelisted(change) ? { ...change, isNew: true } : change))
    .filter(
      ({ before, after, isNew, prices }) =>
        isNew || prices.length > 0 || JSON.stringify(before) !== JSON.stringify(after),
    )
}

/** In the order of the keys. */
async function readFacts(
  reader: Reader,
  dialect: Dialect,
  keys: readonly RouteId[],
  before: RouteRows,
): Promise<FactChange[]> {
  const rows = keys.map((key): Row => [key.hostId, key.routeId])
  const found = await READ_FACTS.run(reader, dialect, rows)
  const groups = groupBy(found, (row) => `${row.host_id}/${row.route_id}`)
  return keys.flatMap((key) => {
    const group = groups.get(routeText(key))
    return group?.[0] ? [changeOf(key, group, group[0], before.get(routeText(key)) ?? [])] : []
  })
}

const READ_FACTS = new RowsStatement(
  (dialect, rows) => sql<FactRow>`select
      l.host_id, l.route_id, l.source, l.price, l.network, l.first_us, l.last_us, l.gone_us, l.one_of_several,
      r.rail, c.body as challenge, s.price as old_price, s.network as old_network, s.probe_status, s.price_low,
      s.price_high, s.matching, s.listed
    from ${dialect.rows({ host_id: 'int', route_id: 'int' }, rows)} as v
    cross join listings as l
    cross join routes as r
    cross join route_state as s
    left join challenges as c on c.host_id = s.host_id and c.challenge_id = s.challenge_id ${dialect.among('c.host_id', rows)}
    where l.host_id = v.host_id and l.route_id = v.route_id and r.host_id = v.host_id and r.route_id = v.route_id
      and s.host_id = v.host_id and s.route_id = v.route_id ${dialect.among('l.host_id', rows)}
      ${dialect.among('r.host_id', rows)} ${dialect.among('s.host_id', rows)}`,
)

function changeOf(
  { hostId, routeId }: RouteId,
  rows: readonly FactRow[],
  one: FactRow,
  before: readonly Listing[],
): FactChange {
  const listings = rows.map(listingOf)
  return {
    hostId,
    routeId,
    before: factsIn({ ...one, price: one.old_price, network: one.old_network }),
    after: routeFacts(one.rail, listings, readJson(one.challenge)),
    isNew: one.listed === 0,
    prices: priceChanges(before, listings),
  }
}
