import { networkKey } from '../../domain/network.ts'
import { listedPaths } from '../../domain/template.ts'
import { DAY_US, dayOf } from '../../domain/time/day.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { askedIn } from '../../domain/words/asked.ts'
import { nameWords, termsOf } from '../../domain/words/search.ts'
import { RESULT_COLUMN } from '../../store/hosts/result-columns.ts'
import { type MatchingRoute, matchingRoutes, type RouteAsked } from '../../store/search/matching-routes.ts'
import type { HostFilter } from '../../store/search/read-hosts.ts'
import { searchHosts } from '../../store/search/search-hosts.ts'
import { fromParts } from '../../store/sql/parts.ts'
import type { Store } from '../../store/store.ts'
import { encodeCursor } from '../../wire/cursor.ts'
import { positionOf } from '../page.ts'
import { fittingDescription, fittingRoute } from './fitting.ts'
import type { HostPage, HostQuery, HostRow, HostSort, RouteMatch } from './hosts-view.ts'
import { keptRows, type ListedRow } from './kept-rows.ts'

/** What a list of hosts continues after. */
const POSITIONS = {
  match: ['number', 'string'],
  host: ['string'],
  price: ['number', 'number'],
  latency: ['number', 'number'],
  newest: ['number', 'number'],
  routes: ['number', 'number'],
  reviews: ['number', 'number'],
} as const satisfies Readonly<Record<HostSort, readonly ('string' | 'number')[]>>

/** One page of the list of hosts. */
export async function hostsOf(store: Store, query: HostQuery, nowUs: TimestampUs): Promise<HostPage> {
  const { q, limit } = query
  // Without words nothing fits better than anything else.
  const sort = q === null && query.sort === 'match' ? 'host' : query.sort
  const kind = `hosts-${sort}`
  const after = positionOf(kind, POSITIONS[sort], query.cursor)
  const filter = filterOf(query, nowUs)
  const { rows, next, forgiven = [] } = await searchHosts(store, { q, filter, order: sort, after, limit })
  const asked = routeAskedIn(q, filter, sort === 'price')
  const { terms } = asked
  const ids = rows.map((row) => row.host_id)
  const [listed, matching] = await Promise.all([
    keptRows(store).read(rows, dayOf(nowUs), terms.length === 0 ? 'first' : 'several'),
    fromParts(store, ids, ({ read, dialect }, own) => matchingRoutes(read, dialect, own, asked)),
  ])
  const routes = new Map(matching)
  const rowOf = ({ row, said }: ListedRow, hostId: number): HostRow => {
    const route = fittingRoute(row.host, routes.get(hostId) ?? [], asked)
    const description = fittingDescription(route?.descriptions ?? [], terms) ?? fittingDescription(said, terms)
    if (route === null && description === row.description) return row
    return { ...row, match: route && matchOf(route), description }
  }
  const items = [...listed].map(([hostId, row]) => rowOf(row, hostId))
  return { items, next: next && encodeCursor(kind, next), forgiven }
}

/** Of an address the host is found by then: its path says which route is meant. */
function routeAskedIn(q: string | null, filter: HostFilter, isByPrice: boolean): RouteAsked {
  const { terms, route, hosts = [] } = q === null ? { terms: [] } : askedIn(q)
  const named = new Set(hosts.flatMap(nameWords))
  if (route === undefined) return { terms: terms.filter((term) => !named.has(term)), paths: [], filter, isByPrice }
  return { terms: termsOf(route.path), paths: listedPaths(route.path).flat(), filter, isByPrice }
}

const filterOf = (query: HostQuery, nowUs: TimestampUs): HostFilter => ({
  requestedSinceUs: query.requested === 'day' ? nowUs - DAY_US : null,
  rail: query.rail,
  networkKey: query.network === null ? null : networkKey(query.network),
  maxPrice: query.maxPrice,
  check: query.check ?? null,
  result: query.result === null ? null : RESULT_COLUMN[query.result],
  retired: query.retired ?? null,
})

const matchOf = ({ price_low: low, price_high: high, ...route }: MatchingRoute): RouteMatch => ({
  ...{ scheme: route.scheme, method: route.method, path: route.path, rail: route.rail },
  ...{ price: route.price, network: route.network, probeStatus: route.probe_status },
  spread: low === null || high === null ? null : { low, high },
})
