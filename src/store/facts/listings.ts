import { sql } from 'kysely'
import type { Listing } from '../../domain/listing.ts'
import { networkKey } from '../../domain/network.ts'
import type { HostTransaction } from '../hosts/host-transaction.ts'
import type { Placed, RouteRef } from '../hosts/route-ref.ts'
import type { Row } from '../sql/dialect.ts'
import { RowsStatement } from '../sql/rows-statement.ts'
import { listingText } from './listing-record.ts'
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

/** In `logged_us`: the log says something else of this row than the store does. */
export const LOGGED_OTHERWISE = 0

export interface ListingColumns {
  source: string
  price: number
  network: string
  first_us: number
  last_us: number
  gone_us: number | null
  one_of_several?: number
  method_stated?: number
  log_index?: number | null
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
  method_stated: 'value',
  log_index: 'value',
} as const

export const listingOf = (row: ListingColumns): Listing => ({
  source: row.source,
  price: row.price === UNKNOWN_PRICE ? null : row.price,
  network: row.network === UNKNOWN_NETWORK ? null : row.network,
  firstUs: row.first_us,
  lastUs: row.last_us,
  goneUs: row.gone_us ?? undefined,
  isOneOfSeveral: row.one_of_several === 1 ? true : undefined,
  isMethodStated: row.method_stated === 0 ? false : undefined,
  logIndex: row.log_index ?? undefined,
})

/**
 * A row of one identity seen again keeps its earliest and latest observation, in whatever order they arrive. One that its
 * source did not name any more is named again.
 */
export async function upsertListings(
  transaction: HostTransaction,
  inputs: readonly Placed<ListingInput>[],
): Promise<void> {
  const { writer, dialect, log } = transaction
  const seen = new Sightings()
  const gone = new Map<string, number>()
  const said = new Map<string, Placed<ListingInput>>()
  for (const input of inputs) {
    const { at, source, price, network, firstUs, lastUs, goneUs } = input
    const name = network ?? UNKNOWN_NETWORK
    const key = [at.hostId, at.routeId, source, price ?? UNKNOWN_PRICE, name, name && networkKey(name)]
    const text = seen.add(key, firstUs, lastUs)
    if (isSaidLater(input, said.get(text))) said.set(text, input)
    // Only a move between stores brings it along.
    if (typeof goneUs === 'number') gone.set(text, Math.max(goneUs, gone.get(text) ?? 0))
  }
  if (seen.size === 0) return
  await log.reserve(seen.size)
  const rows = seen.inKeyOrder().map(({ key, text, firstUs, lastUs }): Row => {
    const foundGone = gone.size === 0 ? undefined : gone.get(text)
    const goneUs = foundGone !== undefined && foundGone > lastUs ? foundGone : null
    const input = said.get(text)
    const isStated = input?.isMethodStated === false ? 0 : 1
    const row = [...key, firstUs, lastUs, goneUs, isStated]
    // Of a route that nobody had named before, every row is new; of others that is seen once they are stored.
    if (input === undefined || !transaction.isCreated(input.at)) return [...row, null, null]
    const placement = log.place(input.at.hostId, listingText(input, { firstUs, lastUs, goneUs }))
    log.keep(placement)
    return [...row, placement.id, goneUs === null ? lastUs : null]
  })
  await UPSERT.runLater(writer, dialect, rows)
}

/** Of two at the same time, the one that names a method. */
const isSaidLater = (listing: Listing, other: Listing | undefined): boolean =>
  other === undefined ||
  listing.lastUs > other.lastUs ||
  (listing.lastUs === other.lastUs && other.isMethodStated === false)

const COLUMNS = {
  host_id: 'int',
  route_id: 'int',
  source: 'text',
  price: 'int',
  network: 'text',
  network_key: 'text',
  first_us: 'int',
  last_us: 'int',
  gone_us: 'int',
  method_stated: 'int',
  log_id: 'int',
  logged_us: 'int',
} as const

const UPSERT = new RowsStatement((dialect, rows) => {
  const lastUs = dialect.greatest(sql.ref('listings.last_us'), sql.ref('excluded.last_us'))
  const goneUs = dialect.greatest(sql.ref('listings.gone_us'), sql.ref('excluded.gone_us'))
  const isStated = dialect.greatest(sql.ref('listings.method_stated'), sql.ref('excluded.method_stated'))
  return sql`insert into listings (host_id, route_id, source, price, network, network_key, first_us, last_us, gone_us,
      method_stated, log_id, logged_us)
    select host_id, route_id, source, price, network, network_key, first_us, last_us, gone_us, method_stated, log_id,
      logged_us
    from ${dialect.hostRows(COLUMNS, rows)} as v where true
    on conflict (host_id, route_id, source, price, network) do update set
      first_us = ${dialect.least(sql.ref('listings.first_us'), sql.ref('excluded.first_us'))},
      last_us = ${lastUs}, gone_us = case when ${goneUs} > ${lastUs} then ${goneUs} end,
      method_stated = case when excluded.last_us = listings.last_us then ${isStated}
        when excluded.last_us > listings.last_us then excluded.method_stated else listings.method_stated end,
      logged_us = case when excluded.first_us < listings.first_us or (${goneUs} > ${lastUs}
          and (excluded.gone_us > coalesce(listings.gone_us, 0) or excluded.last_us > listings.last_us))
        then ${sql.lit(LOGGED_OTHERWISE)} else listings.logged_us end`
})
