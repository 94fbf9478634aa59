import { sql } from 'kysely'
import type { SellerHost } from '../../domain/host.ts'
import { hostKey } from '../../domain/keys.ts'
import type { Listing } from '../../domain/listing.ts'
import { MOST_PAYEES, type PayeeOrigin } from '../../domain/money/payee.ts'
import { networkKey } from '../../domain/network.ts'
import { registrableDomain } from '../../wire/sellers/registrable.ts'
import type { HostTransaction } from '../hosts/host-transaction.ts'
import { type Placed, type RouteId, routeText } from '../hosts/route-ref.ts'
import type { Row } from '../sql/dialect.ts'
import { groupBy } from '../sql/group.ts'
import { hasText } from '../sql/has-text.ts'
import { RowsStatement } from '../sql/rows-statement.ts'
import type { Store } from '../store.ts'
import type { RouteRows } from './facts.ts'
import type { ListingInput } from './listings.ts'
import type { PayeeInput } from './payees.ts'

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
    const known = rows.find(({ network }) => onNetwork(network) === onNetwork(listing.network))
    return { ...listing, price: null, network: known?.network ?? null }
  })
}

const onNetwork = (network: string | null): string => (network === null ? '' : networkKey(network))

/** Payees of one route that one source names, or its own challenges do. */
interface Named {
  readonly at: RouteId
  readonly origin: PayeeOrigin
  /** Empty: no source, or nobody says which. */
  readonly source: string
  readonly most: number
  readonly payees: Placed<PayeeInput>[]
}

const keyOf = ({ at, origin, source = '' }: Pick<Placed<PayeeInput>, 'at' | 'origin' | 'source'>): string =>
  `${routeText(at)} ${origin} ${source}`

/** A move between stores brings what several sources named, and does not say which of them did. */
const SOURCES_MOVED = 10

const roomOf = ({ origin, source }: PayeeInput, most: number): number =>
  origin === 'listing' && source === undefined ? most * SOURCES_MOVED : most

const payeeText = ({ network, payee, asset }: Pick<PayeeInput, 'network' | 'payee' | 'asset'>): string =>
  `${network}\n${payee}\n${asset ?? ''}`

/**
 * Without those for which there is no room. Each source has room of its own: one list that names thousands keeps nobody out whom
 * another names. Nobody who is there goes for one that is new: no sweep takes away whom a seller has named, and whose reviews are
 * a seller's own stays known.
 */
export async function withinPayees(
  transaction: HostTransaction,
  payees: readonly Placed<PayeeInput>[],
  most = MOST_PAYEES,
): Promise<readonly Placed<PayeeInput>[]> {
  const named = namedIn(payees, most)
  const stored = await payeesStored(transaction, named)
  const leftOut = new Set<Placed<PayeeInput>>()
  for (const one of named) {
    const isStored = stored.has(one)
    if (!isStored && one.payees.length <= one.most) continue
    const rows = isStored ? await storedPayees(transaction, one) : []
    const known = new Set(rows.map(payeeText))
    let own = rows.filter(({ source }) => source === one.source).length
    for (const payee of one.payees) {
      const text = payeeText(payee)
      if (known.has(text)) continue
      if (own >= one.most) leftOut.add(payee)
      else {
        known.add(text)
        own += 1
      }
    }
  }
  return leftOut.size === 0 ? payees : payees.filter((payee) => !leftOut.has(payee))
}

function namedIn(payees: readonly Placed<PayeeInput>[], most: number): Named[] {
  const named = new Map<string, Named>()
  for (const payee of payees) {
    const { at, origin, source = '' } = payee
    const key = keyOf(payee)
    const one = named.get(key)
    if (one === undefined) named.set(key, { at, origin, source, most: roomOf(payee, most), payees: [payee] })
    else one.payees.push(payee)
  }
  return [...named.values()]
}

/** Other programs may name payees of the same route: they, too, count again before there are many. */
const FEW = MOST_PAYEES / 5

/** Those of which there may be too many with what is stored. */
async function payeesStored(transaction: HostTransaction, named: readonly Named[]): Promise<ReadonlySet<Named>> {
  const bounds = transaction.known.payees
  const uncounted = named.filter((one) => {
    const { length } = one.payees
    const bound = transaction.isCreated(one.at) ? length : bounds.after(keyOf(one), length)
    if (bound === undefined || bound > Math.min(FEW, one.most)) return true
    bounds.set(keyOf(one), bound)
    return false
  })
  if (uncounted.length === 0) return new Set()
  const rows = uncounted.map(({ at, origin, source }, place): Row => [at.hostId, at.routeId, origin, source, place])
  const found = await COUNT_PAYEES.run(transaction.writer, transaction.dialect, rows)
  const counts = new Map(found.map(({ place, n }) => [place, n]))
  return new Set(
    uncounted.filter((one, place) => {
      const bound = (counts.get(place) ?? 0) + one.payees.length
      bounds.set(keyOf(one), bound)
      return bound > one.most
    }),
  )
}

const NAMED_COLUMNS = { host_id: 'int', route_id: 'int', origin: 'text', source: 'text', place: 'int' } as const

const COUNT_PAYEES = new RowsStatement(
  (dialect, rows) => sql<{ place: number; n: number }>`select v.place, count(*) as n
    from ${dialect.rows(NAMED_COLUMNS, rows)} as v cross join payees as p
    where p.host_id = v.host_id and p.route_id = v.route_id and p.origin = v.origin and p.source = v.source
      ${dialect.among('p.host_id', rows)}
    group by v.place`,
)

/** Also those in the room of other sources: named again, they take none. */
const storedPayees = ({ writer }: HostTransaction, { at, origin }: Named) =>
  writer
    .selectFrom('payees')
    .select(['network', 'payee', 'asset', 'source'])
    .where('host_id', '=', at.hostId)
    .where('route_id', '=', at.routeId)
    .where('origin', '=', origin)
    .execute()
