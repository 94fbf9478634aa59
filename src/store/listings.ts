import { sql } from 'kysely'
import type { Listing } from '../domain/listing.ts'
import { networkKey } from '../domain/network.ts'
import { walletKey } from '../domain/wallet.ts'
import type { Dialect, Row } from './dialect.ts'
import type { ListingInput, PayeeInput } from './evidence.ts'
import type { RouteId } from './hosts.ts'
import type { Writer } from './schema.ts'

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
