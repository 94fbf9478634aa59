import { type RawBuilder, sql } from 'kysely'
import type { Listing } from '../../domain/listing.ts'
import { placeOf } from '../../domain/money/route-price.ts'
import { type Placed, type RouteId, routeText } from '../hosts/route-ref.ts'
import type { Writer } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { groupBy } from '../sql/group.ts'
import { type ListingInput, UNKNOWN_NETWORK, UNKNOWN_PRICE } from './listings.ts'

type Inputs = readonly Placed<ListingInput>[]

/**
 * Marks the rows that one sweep named beside another price of the same network, after they are saved, and answers their
 * routes. `news`: routes of which anything may be another than before; of all others there is nothing to mark.
 */
export async function markSeveral(
  writer: Writer,
  dialect: Dialect,
  listings: Inputs,
  news: readonly RouteId[],
): Promise<RouteId[]> {
  return [...(await markSwept(writer, dialect, listings, news)), ...(await markMoved(writer, dialect, listings))]
}

async function markSwept(
  writer: Writer,
  dialect: Dialect,
  listings: Inputs,
  news: readonly RouteId[],
): Promise<RouteId[]> {
  const doubtful = new Set(news.map(routeText))
  for (const route of severalIn(listings)) doubtful.add(route)
  const rows = listings.flatMap(({ at, source, sweepUs }): Row[] =>
    sweepUs !== undefined && doubtful.has(routeText(at)) ? [[at.hostId, at.routeId, source, sweepUs]] : [],
  )
  if (rows.length === 0) return []
  const columns = { host_id: 'int', route_id: 'int', source: 'text', sweep_us: 'int' } as const
  return mark(
    writer,
    sql`select l.host_id, l.route_id, l.source, l.price, l.network
      from ${dialect.rows(columns, rows)} as v cross join listings as l
      where l.host_id = v.host_id and l.route_id = v.route_id and l.source = v.source and l.last_us >= v.sweep_us
        and exists (select 1 from listings as o where o.host_id = l.host_id and o.route_id = l.route_id
          and o.source = l.source and o.network_key = l.network_key and o.price <> l.price
          and o.last_us >= v.sweep_us)`,
  )
}

async function mark(writer: Writer, keys: RawBuilder<unknown>): Promise<RouteId[]> {
  const marked = await sql<{ host_id: number; route_id: number }>`update listings set one_of_several = 1
    where one_of_several = 0 and (host_id, route_id, source, price, network) in (${keys})
    returning host_id, route_id`.execute(writer)
  return marked.rows.map((row) => ({ hostId: row.host_id, routeId: row.route_id }))
}

/** Routes that these listings name at several prices of one network. */
function severalIn(listings: Inputs): string[] {
  const routes = [...groupBy(listings, ({ at }) => routeText(at))]
  return routes.filter(([, group]) => group.length > 1 && isSeveral(group)).map(([route]) => route)
}

const isSeveral = (group: Inputs): boolean =>
  group.some((one, at) => group.slice(at + 1).some((other) => one.price !== other.price && isOfOnePlace(one, other)))

const isOfOnePlace = (one: Listing, other: Listing): boolean => placeOf(one) === placeOf(other)

/** A move between stores brings the marks along. */
async function markMoved(writer: Writer, dialect: Dialect, listings: Inputs): Promise<RouteId[]> {
  const rows = listings.flatMap(({ at, source, price, network, isOneOfSeveral }): Row[] =>
    isOneOfSeveral === true
      ? [[at.hostId, at.routeId, source, price ?? UNKNOWN_PRICE, network ?? UNKNOWN_NETWORK]]
      : [],
  )
  if (rows.length === 0) return []
  const columns = { host_id: 'int', route_id: 'int', source: 'text', price: 'int', network: 'text' } as const
  return mark(writer, sql`select host_id, route_id, source, price, network from ${dialect.rows(columns, rows)} as v`)
}
