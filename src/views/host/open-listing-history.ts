import type { SellerHost } from '../../domain/host.ts'
import { addressOf } from '../../domain/route.ts'
import { readDocumentsOf } from '../../store/facts/refusals.ts'
import { findHostId } from '../../store/host-id.ts'
import {
  type NamedRouteRow,
  type NamedRow,
  readNamedRoutes,
  readSourcesOfHost,
} from '../../store/pages/read-listing-history.ts'
import type { Store } from '../../store/store.ts'
import type { PageRequest } from '../directory.ts'
import { pageOf, positionOf } from '../page.ts'
import type { ListingHistoryView, NamedBy, NamedRoute } from './listing-history-view.ts'

const KIND = 'listing-history'

/** `undefined`: no source named the host and no document of it was read. */
export async function listingHistoryOf(
  store: Store,
  host: SellerHost,
  { limit, cursor }: PageRequest,
): Promise<ListingHistoryView | undefined> {
  const after = positionOf(KIND, ['string', 'string', 'string', 'string'], cursor)
  const [hostId, kept] = await Promise.all([findHostId(store.read, host), readDocumentsOf(store.read, host)])
  if (hostId === undefined && kept.length === 0) return undefined
  const documents = kept.map(({ host: _host, ...document }) => document)
  if (hostId === undefined) return { host, sources: [], documents, routes: [], next: null }
  const [sources, rows] = await Promise.all([
    readSourcesOfHost(store.read, hostId),
    readNamedRoutes(store, hostId, after, limit + 1),
  ])
  const page = pageOf(
    KIND,
    rows,
    limit,
    (row) => routeOf(host, row),
    (row) => [row.path, row.method, row.rail, row.scheme],
  )
  const named = sources.map((row) => ({ ...namedBy(row), routes: row.routes, routesNamed: row.routes_named }))
  return { host, sources: named, documents, routes: page.items, next: page.next }
}

export const namedBy = (row: NamedRow): NamedBy => ({
  source: row.source,
  firstUs: row.first_us,
  lastUs: row.last_us,
  goneUs: row.gone_us,
})

const routeOf = (host: SellerHost, { scheme, method, path, rail, sources }: NamedRouteRow): NamedRoute => ({
  ...{ scheme, method, path, rail, address: addressOf(scheme, host, path) },
  sources: sources.map(namedBy),
})
