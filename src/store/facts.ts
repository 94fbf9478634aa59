import { sql } from 'kysely'
import { type Challenge, probeStatusOf } from '../domain/challenge.ts'
import { currentListing, type Listing } from '../domain/listing.ts'
import type { ProbeStatus } from '../domain/probe.ts'
import type { Rail } from '../domain/route.ts'
import type { Dialect, Row } from './dialect.ts'
import type { ListingInput } from './evidence.ts'
import { groupBy } from './group.ts'
import type { RouteId } from './hosts.ts'
import { type ListingColumns, listingOf, UNKNOWN_NETWORK, UNKNOWN_PRICE } from './listings.ts'
import type { Reader, Writer } from './schema.ts'

/** What a route's listings and newest challenge say of it: the facts that `route_state` holds. */
export interface RouteFacts {
  readonly price: number | null
  readonly network: string | null
  readonly probeStatus: ProbeStatus
}

export function factsOf(rail: Rail, listings: readonly Listing[], challenge: Challenge | null): RouteFacts {
  const current = currentListing(listings)
  return {
    price: current?.price ?? null,
    network: current?.network ?? null,
    probeStatus: probeStatusOf(rail, listings, challenge),
  }
}

interface FactRow extends ListingColumns {
  host_id: number
  route_id: number
  rail: Rail
  challenge: string | null
  old_price: number | null
  old_network: string | null
  old_status: ProbeStatus
  listed: number
}

/**
 * Routes whose facts these listings may change, before they are saved. Most sweeps say what was said before: a row that its
 * source already stands by alone, with the price and network that are the route's, only moves its time.
 */
export async function routesWithNews(
  reader: Reader,
  dialect: Dialect,
  listings: readonly (ListingInput & { readonly at: RouteId })[],
): Promise<RouteId[]> {
  if (listings.length === 0) return []
  const columns = { host_id: 'int', route_id: 'int', source: 'text', price: 'int', network: 'text' } as const
  const rows = listings.map(
    ({ at, source, price, network }): Row => [
      at.hostId,
      at.routeId,
      source,
      price ?? UNKNOWN_PRICE,
      network ?? UNKNOWN_NETWORK,
    ],
  )
  // Each column of `v` is named once where it can be: SQLite reads it from the batch's JSON every time.
  const known = sql`(select 1 from listings as l cross join route_state as s
    where l.host_id = v.host_id and l.route_id = v.route_id and l.source = v.source and l.price = v.price
      and l.network = v.network and s.host_id = l.host_id and s.route_id = l.route_id and s.listed = 1
      and coalesce(s.price, ${sql.lit(UNKNOWN_PRICE)}) = l.price
      and coalesce(s.network, ${sql.lit(UNKNOWN_NETWORK)}) = l.network
      and not exists (select 1 from listings as o
        where o.host_id = l.host_id and o.route_id = l.route_id and o.source = l.source
          and (o.price <> l.price or o.network <> l.network) and o.last_us >= l.last_us))`
  const found = await sql<{ host_id: number; route_id: number }>`select host_id, route_id
    from (select v.host_id, v.route_id, ${known} as known from ${dialect.rows(columns, rows)} as v) as asked
    where known is null`.execute(reader)
  return found.rows.map((row) => ({ hostId: row.host_id, routeId: row.route_id }))
}

/** What a refresh found different. */
export interface FactChange extends RouteId {
  readonly before: RouteFacts
  readonly after: RouteFacts
  /** No listing had spoken for the route before, or none did any more. */
  readonly isNew: boolean
}

const NO_FACTS: RouteFacts = { price: null, network: null, probeStatus: 'unverified' }

/** The facts of routes that nothing was known of before these listings, and that nobody has probed: nothing need be read. */
export function firstFacts(listings: readonly (ListingInput & { readonly at: RouteId })[]): FactChange[] {
  const groups = groupBy(listings, ({ at }) => `${at.hostId}/${at.routeId}`)
  return [...groups.values()].flatMap((group) =>
    group
      .slice(0, 1)
      .map(({ at, rail }) => ({ ...at, before: NO_FACTS, after: factsOf(rail, group, null), isNew: true })),
  )
}

/** Price, network and probe status of these routes, computed again from their rows; answers those that changed. */
export async function changedFacts(
  writer: Writer,
  dialect: Dialect,
  routes: Iterable<RouteId>,
  /** Nobody named the route any more, until now. */
  isRelisted: (route: RouteId) => boolean = () => false,
): Promise<FactChange[]> {
  const wanted = new Map<string, RouteId>()
  for (const route of routes) wanted.set(`${route.hostId}/${route.routeId}`, route)
  if (wanted.size === 0) return []
  const found = await readFacts(writer, dialect, [...wanted.values()].sort(byKey))
  return found
    .map((change) => (isRelisted(change) ? { ...change, isNew: true } : change))
    .filter(
      ({ before, after, isNew }) =>
        isNew ||
        before.price !== after.price ||
        before.network !== after.network ||
        before.probeStatus !== after.probeStatus,
    )
}

const byKey = (a: RouteId, b: RouteId): number => a.hostId - b.hostId || a.routeId - b.routeId

const STATE = {
  host_id: 'int',
  route_id: 'int',
  price: 'int',
  network: 'text',
  probe_status: 'text',
  listed: 'int',
} as const

/** The state of routes that were just created, with the first facts of those that have some. */
export async function openStates(
  writer: Writer,
  dialect: Dialect,
  created: readonly RouteId[],
  first: readonly FactChange[],
): Promise<void> {
  const facts = new Map(first.map((change) => [`${change.hostId}/${change.routeId}`, change.after]))
  await saveStates(
    writer,
    dialect,
    created.map(({ hostId, routeId }) => {
      const known = facts.get(`${hostId}/${routeId}`)
      return stateRow({ hostId, routeId }, known ?? NO_FACTS, known !== undefined)
    }),
  )
}

export const saveFacts = (writer: Writer, dialect: Dialect, changes: readonly FactChange[]): Promise<void> =>
  saveStates(
    writer,
    dialect,
    changes.toSorted(byKey).map((change) => stateRow(change, change.after, true)),
  )

const stateRow = ({ hostId, routeId }: RouteId, facts: RouteFacts, isListed: boolean): Row => [
  hostId,
  routeId,
  facts.price,
  facts.network,
  facts.probeStatus,
  isListed ? 1 : 0,
]

async function saveStates(writer: Writer, dialect: Dialect, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  await sql`insert into route_state (host_id, route_id, price, network, probe_status, listed, probes, reviews)
    select host_id, route_id, price, network, probe_status, listed, 0, 0
    from ${dialect.rows(STATE, rows)} as v where true
    on conflict (host_id, route_id) do update set price = excluded.price, network = excluded.network,
      probe_status = excluded.probe_status, listed = excluded.listed`.execute(writer)
}

/** In the order of the keys. */
async function readFacts(reader: Reader, dialect: Dialect, keys: readonly RouteId[]): Promise<FactChange[]> {
  const rows = keys.map((key): Row => [key.hostId, key.routeId])
  const found = await sql<FactRow>`select l.host_id, l.route_id, l.source, l.price, l.network, l.first_us, l.last_us,
      r.rail, c.body as challenge, s.price as old_price, s.network as old_network, s.probe_status as old_status,
      s.listed
    from ${dialect.rows({ host_id: 'int', route_id: 'int' }, rows)} as v
    cross join listings as l
    cross join routes as r
    cross join route_state as s
    left join challenges as c on c.host_id = s.host_id and c.challenge_id = s.challenge_id
    where l.host_id = v.host_id and l.route_id = v.route_id and r.host_id = v.host_id and r.route_id = v.route_id
      and s.host_id = v.host_id and s.route_id = v.route_id`.execute(reader)
  const groups = groupBy(found.rows, (row) => `${row.host_id}/${row.route_id}`)
  return keys.flatMap((key) => {
    const group = groups.get(`${key.hostId}/${key.routeId}`)
    return group?.[0] ? [changeOf(key, group, group[0])] : []
  })
}

function changeOf({ hostId, routeId }: RouteId, rows: readonly FactRow[], one: FactRow): FactChange {
  const challenge: Challenge | null = one.challenge === null ? null : JSON.parse(one.challenge)
  return {
    hostId,
    routeId,
    before: { price: one.old_price, network: one.old_network, probeStatus: one.old_status },
    after: factsOf(one.rail, rows.map(listingOf), challenge),
    isNew: one.listed === 0,
  }
}
