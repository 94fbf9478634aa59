import { sql } from 'kysely'
import type { Listing } from '../../domain/listing.ts'
import { networkKey } from '../../domain/network.ts'
import type { Placed, RouteRef } from '../hosts/route-ref.ts'
import type { Writer } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { Sightings } from './sightings.ts'

/** A fact: what a listing source says. */
export interface ListingInput extends RouteRef, Listing {
  /** In words, cleaned (`cleanDescription`); `null`: none any more. Left out: nothing is said about it, the stored words stay. */
  readonly description?: string | null | undefined
  /** Start of the sweep that sees it; left out outside of sweeps. */
  readonly sweepUs?: number | undefined
}

/** How the store writes an unknown price and an unknown network inside a key. */
export const UNKNOWN_PRICE = -1
export const UNKNOWN_NETWORK = ''

export interface ListingColumns {
  source: string
  price: number
  network: string
  first_us: number
  last_us: number
  gone_us: number | null
  one_of_several?: number
}

/** As `jsonRows` takes them. */
export const LISTING_COLUMNS = {
  source: 'value',
  price: 'value',
  network: 'value',
  first_us: 'value',
  last_us: 'value',
  gone_us: 'value',
  one_of_several: 'value',
} as const

export const listingOf = (row: ListingColumns): Listing => ({
  source: row.source,
  price: row.price === UNKNOWN_PRICE ? null : row.price,
  network: row.network === UNKNOWN_NETWORK ? null : row.network,
  firstUs: row.first_us,
  lastUs: row.last_us,
  goneUs: row.gone_us ?? undefined,
  isOneOfSeveral: row.one_of_several === 1 ? true : undefined,
})

/**
 * A row of one identity seen again keeps its earliest and latest observation, in whatever order they arrive. One that its
 * source did not name any more is named again.
 */
export async function upsertListings(
  writer: Writer,
  dialect: Dialect,
  inputs: readonly Placed<ListingInput>[],
): Promise<void> {
  const seen = new Sightings()
  const gone = new Map<string, number>()
  for (const { at, source, price, network, firstUs, lastUs, goneUs } of inputs) {
    const name = network ?? UNKNOWN_NETWORK
    const key = [at.hostId, at.routeId, source, price ?? UNKNOWN_PRICE, name, name && networkKey(name)]
    seen.add(key, firstUs, lastUs)
    // Only a move between stores brings it along.
    if (typeof goneUs === 'number') gone.set(key.join('\n'), Math.max(goneUs, gone.get(key.join('\n')) ?? 0))
  }
  if (seen.size === 0) return
  const columns = {
    host_id: 'int',
    route_id: 'int',
    source: 'text',
    price: 'int',
    network: 'text',
    network_key: 'text',
    first_us: 'int',
    last_us: 'int',
    gone_us: 'int',
  } as const
  const rows = seen.inKeyOrder().map((row): Row => {
    const goneUs = gone.size === 0 ? undefined : gone.get(row.slice(0, -2).join('\n'))
    return [...row, goneUs !== undefined && goneUs > Number(row.at(-1)) ? goneUs : null]
  })
  const lastUs = dialect.greatest(sql.ref('listings.last_us'), sql.ref('excluded.last_us'))
  const goneUs = dialect.greatest(sql.ref('listings.gone_us'), sql.ref('excluded.gone_us'))
  await sql`insert into listings (host_id, route_id, source, price, network, network_key, first_us, last_us, gone_us)
    select host_id, route_id, source, price, network, network_key, first_us, last_us, gone_us
    from ${dialect.rows(columns, rows)} as v where true
    on conflict (host_id, route_id, source, price, network) do update set
      first_us = ${dialect.least(sql.ref('listings.first_us'), sql.ref('excluded.first_us'))},
      last_us = ${lastUs}, gone_us = case when ${goneUs} > ${lastUs} then ${goneUs} end`.execute(writer)
}
