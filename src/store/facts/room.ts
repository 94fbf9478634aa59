import { sql } from 'kysely'
import type { SellerHost } from '../../domain/host.ts'
import { hostKey } from '../../domain/keys.ts'
import type { Listing } from '../../domain/listing.ts'
import { networkKey } from '../../domain/network.ts'
import { registrableDomain } from '../../wire/sellers/registrable.ts'
import { type Placed, routeText } from '../hosts/route-ref.ts'
import type { Row } from '../sql/dialect.ts'
import { groupBy } from '../sql/group.ts'
import { hasText } from '../sql/has-text.ts'
import type { Store } from '../store.ts'
import type { RouteRows } from './facts.ts'
import type { ListingInput } from './listings.ts'

/**
 * Routes of one host that one source may name over time, those that it dropped included. Of each source, so that nobody fills a
 * host for those who speak for it.
 */
export const MOST_ROUTES = 20_000

/** Those of these hosts of which a source has named as many routes as it may. Looks closely only at hosts that have so many. */
export async function fullHosts(
  { read, dialect }: Store,
  source: string,
  hosts: readonly SellerHost[],
  most: number,
): Promise<SellerHost[]> {
  const rows = hosts.map((host): Row => [hostKey(host), host])
  const large = await sql<{ host_id: number; name: string }>`select h.host_id, h.name
    from ${dialect.rows({ host_id: 'int', name: 'text' }, rows)} as v cross join hosts as h cross join host_counters as c
    where h.host_id = v.host_id and h.name = v.name and c.host_id = v.host_id and c.routes >= ${most}`.execute(read)
  const full: SellerHost[] = []
  for (const { host_id, name } of large.rows) {
    const last = await sql`select distinct route_id from listings where host_id = ${host_id} and source = ${source}
      limit 1 offset ${most - 1}`.execute(read)
    if (last.rows.length > 0) full.push(name)
  }
  return full
}

/**
 * Hosts below one registered name that sellers' own documents may bring: whoever holds it can make up any number, and the document
 * of each may name others below it.
 */
export const MOST_BELOW = 1000

/** Which of these hosts nobody has named yet. */
export async function unknownHosts({ read, dialect }: Store, hosts: readonly SellerHost[]): Promise<SellerHost[]> {
  if (hosts.length === 0) return []
  const rows = hosts.map((host): Row => [hostKey(host), host])
  const known = await sql<{ name: string }>`select h.name
    from ${dialect.rows({ host_id: 'int', name: 'text' }, rows)} as v cross join hosts as h
    where h.host_id = v.host_id and h.name = v.name`.execute(read)
  const names = new Set(known.rows.map(({ name }) => name))
  return hosts.filter((host) => !names.has(host))
}

/** How many more hosts there is room for below the registered name of this one. Looks at the names of all hosts. */
export async function roomBelow({ read }: Store, host: SellerHost, most = MOST_BELOW): Promise<number> {
  const below = hasText(sql`${sql.ref('name')} || ':'`, `.${registrableDomain(host)}:`)
  const found = await sql<{ n: number }>`select count(*) as n from hosts where ${below}`.execute(read)
  return Math.max(most - (found.rows[0]?.n ?? 0), 0)
}

/**
 * Rows that one source may open of one route over time. All of them are read whenever the route's price is found anew, or a payment is
 * held against it, and a seller may name another price before every sweep.
 */
export const MOST_ROWS = 5000

const rowText = ({ price, network }: Listing): string => `${price ?? ''} ${network ?? ''}`

/**
 * What a source says anew of a route of which it has as many rows as it may: on a network that it named there before, a row without a price; on
 * another, one without a network, too. So the route stays listed, every row that there was stays, and no more than one of each
 * network comes. `stored`: the rows of the routes of which anything may be another than before.
 */
export function withinRows(
  listings: readonly Placed<ListingInput>[],
  stored: RouteRows,
  most = MOST_ROWS,
): readonly Placed<ListingInput>[] {
  const full = new Map([...stored].filter(([, rows]) => rows.length >= most))
  if (full.size === 0) return listings
  const bySource = new Map([...full].map(([route, rows]) => [route, groupBy(rows, ({ source }) => source)]))
  return listings.map((listing) => {
    const rows = bySource.get(routeText(listing.at))?.get(listing.source) ?? []
    if (rows.length < most || rows.some((row) => rowText(row) === rowText(listing))) return listing
    const known = rows.find(({ network }) => keyOf(network) === keyOf(listing.network))
    return { ...listing, price: null, network: known?.network ?? null }
  })
}

const keyOf = (network: string | null): string => (network === null ? '' : networkKey(network))
