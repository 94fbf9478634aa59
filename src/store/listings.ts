import { sql } from 'kysely'
import { type Challenge, probeStatusOf } from '../domain/challenge.ts'
import { currentListing, type Listing } from '../domain/listing.ts'
import { networkKey } from '../domain/network.ts'
import type { ProbeStatus } from '../domain/probe.ts'
import type { Rail } from '../domain/route.ts'
import { walletKey } from '../domain/wallet.ts'
import type { Dialect, Row } from './dialect.ts'
import type { ListingInput, PayeeInput } from './evidence.ts'
import { groupBy } from './group.ts'
import type { RouteId } from './hosts.ts'
import type { Reader, Writer } from './schema.ts'

/** How the store writes an unknown price and an unknown network inside a key. */
export const UNKNOWN_PRICE = -1
export const UNKNOWN_NETWORK = ''

export interface ListingColumns {
  source: string
  price: number
  network: string
  first_us: number
  last_us: number
}

export const listingOf = (row: ListingColumns): Listing => ({
  source: row.source,
  price: row.price === UNKNOWN_PRICE ? null : row.price,
  network: row.network === UNKNOWN_NETWORK ? null : row.network,
  firstUs: row.first_us,
  lastUs: row.last_us,
})

/** A row of one identity seen again keeps its earliest and latest observation, in whatever order they arrive. */
export async function saveListings(
  writer: Writer,
  dialect: Dialect,
  inputs: readonly (ListingInput & { readonly at: RouteId })[],
): Promise<void> {
  const merged = new Map<string, { key: Row; first: number; last: number }>()
  for (const { at, source, price, network, firstUs, lastUs } of inputs) {
    const name = network ?? UNKNOWN_NETWORK
    const key = [at.hostId, at.routeId, source, price ?? UNKNOWN_PRICE, name, name && networkKey(name)]
    merge(merged, key, firstUs, lastUs)
  }
  if (merged.size === 0) return
  const columns = {
    host_id: 'int',
    route_id: 'int',
    source: 'text',
    price: 'int',
    network: 'text',
    network_key: 'text',
    first_us: 'int',
    last_us: 'int',
  } as const
  await sql`insert into listings (host_id, route_id, source, price, network, network_key, first_us, last_us)
    select host_id, route_id, source, price, network, network_key, first_us, last_us
    from ${dialect.rows(columns, inKeyOrder(merged))} as v where true
    on conflict (host_id, route_id, source, price, network) do update set
      first_us = ${dialect.least(sql.ref('listings.first_us'), sql.ref('excluded.first_us'))},
      last_us = ${dialect.greatest(sql.ref('listings.last_us'), sql.ref('excluded.last_us'))}`.execute(writer)
}

export async function savePayees(
  writer: Writer,
  dialect: Dialect,
  inputs: readonly (PayeeInput & { readonly at: RouteId })[],
): Promise<void> {
  const merged = new Map<string, { key: Row; first: number; last: number }>()
  for (const { at, network, payee, asset, origin, firstUs, lastUs } of inputs) {
    merge(merged, [at.hostId, at.routeId, network, payee, asset ?? '', origin], firstUs, lastUs)
  }
  if (merged.size === 0) return
  const columns = {
    host_id: 'int',
    route_id: 'int',
    network: 'text',
    payee: 'text',
    asset: 'text',
    origin: 'text',
    first_us: 'int',
    last_us: 'int',
    payee_key: 'text',
  } as const
  const rows = inKeyOrder(merged).map((row): Row => [...row, walletKey(String(row[3]))])
  await sql`insert into payees (host_id, route_id, network, payee, asset, origin, first_us, last_us, payee_key)
    select host_id, route_id, network, payee, asset, origin, first_us, last_us, payee_key
    from ${dialect.rows(columns, rows)} as v where true
    on conflict (host_id, route_id, network, payee, asset, origin) do update set
      first_us = ${dialect.least(sql.ref('payees.first_us'), sql.ref('excluded.first_us'))},
      last_us = ${dialect.greatest(sql.ref('payees.last_us'), sql.ref('excluded.last_us'))}`.execute(writer)
}

/** One statement may touch a row once: what a batch says twice is joined here. */
function merge(
  merged: Map<string, { key: Row; first: number; last: number }>,
  key: Row,
  first: number,
  last: number,
): void {
  const text = key.join('\n')
  const known = merged.get(text)
  if (!known) merged.set(text, { key, first, last })
  else {
    known.first = Math.min(known.first, first)
    known.last = Math.max(known.last, last)
  }
}

const inKeyOrder = (merged: ReadonlyMap<string, { key: Row; first: number; last: number }>): Row[] =>
  [...merged.values()]
    .sort((a, b) => Number(a.key[0]) - Number(b.key[0]) || Number(a.key[1]) - Number(b.key[1]))
    .map(({ key, first, last }) => [...key, first, last])

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

/** What a refresh found different. */
export interface FactChange extends RouteId {
  readonly before: RouteFacts
  readonly after: RouteFacts
  /** No listing had spoken for the route before, or none did any more. */
  readonly isNew: boolean
}

/** Recomputes price, network and probe status of these routes from their rows; answers those that changed. */
export async function refreshFacts(
  writer: Writer,
  dialect: Dialect,
  routes: Iterable<RouteId>,
  /** Nobody named the route any more, until now. */
  isRelisted: (route: RouteId) => boolean = () => false,
): Promise<FactChange[]> {
  const wanted = new Map<string, RouteId>()
  for (const route of routes) wanted.set(`${route.hostId}/${route.routeId}`, route)
  if (wanted.size === 0) return []
  const keys = [...wanted.values()].sort((a, b) => a.hostId - b.hostId || a.routeId - b.routeId)
  const found = await readFacts(writer, dialect, keys)
  const changes = found
    .map((change) => (isRelisted(change) ? { ...change, isNew: true } : change))
    .filter(
      ({ before, after, isNew }) =>
        isNew ||
        before.price !== after.price ||
        before.network !== after.network ||
        before.probeStatus !== after.probeStatus,
    )
  if (changes.length === 0) return []
  const columns = {
    host_id: 'int',
    route_id: 'int',
    price: 'int',
    network: 'text',
    probe_status: 'text',
  } as const
  const rows = changes.map(
    ({ hostId, routeId, after }): Row => [hostId, routeId, after.price, after.network, after.probeStatus],
  )
  await sql`insert into route_state (host_id, route_id, price, network, probe_status, listed, probes, reviews)
    select host_id, route_id, price, network, probe_status, 1, 0, 0
    from ${dialect.rows(columns, rows)} as v where true
    on conflict (host_id, route_id) do update set price = excluded.price, network = excluded.network,
      probe_status = excluded.probe_status, listed = 1`.execute(writer)
  return changes
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
