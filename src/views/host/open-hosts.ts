import { networkKey } from '../../domain/network.ts'
import { RAILS } from '../../domain/route.ts'
import { listedPaths } from '../../domain/template.ts'
import { DAY_US, dayOf } from '../../domain/time/day.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { askedIn } from '../../domain/words/asked.ts'
import { termsOf } from '../../domain/words/search.ts'
import { readDays } from '../../store/hosts/days.ts'
import { RESULT_COLUMN } from '../../store/hosts/result-columns.ts'
import { firstDescriptions } from '../../store/search/first-descriptions.ts'
import { type MatchingRoute, matchingRoutes, type RouteAsked } from '../../store/search/matching-routes.ts'
import type { HostFilter, HostListRow } from '../../store/search/read-hosts.ts'
import { searchHosts } from '../../store/search/search-hosts.ts'
import { fromParts } from '../../store/sql/parts.ts'
import type { Store } from '../../store/store.ts'
import { encodeCursor } from '../../wire/cursor.ts'
import { positionOf } from '../page.ts'
import { type DayView, ROW_DAYS } from './day-view.ts'
import { fittingDescription, fittingRoute } from './fitting.ts'
import type { HostPage, HostQuery, HostRow, HostSort, RouteMatch } from './hosts-view.ts'
import { hostNowOf, priceCheckOf } from './now-view.ts'
import { pastViewOf } from './past-view.ts'
import { dayViewOf, resultsOf, reviewCountsOf } from './rows.ts'

/** Of each host that a search found, to choose the one that is shown from. */
const DESCRIPTIONS_LOOKED_AT = 8

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

const byHost = <T>(found: readonly (readonly [number, T])[]): ReadonlyMap<number, T> => new Map(found)

/** One page of the list of hosts. */
export async function hostsOf(store: Store, query: HostQuery, nowUs: TimestampUs): Promise<HostPage> {
  const { q, limit } = query
  // Without words nothing fits better than anything else.
  const sort = q === null && query.sort === 'match' ? 'host' : query.sort
  const kind = `hosts-${sort}`
  const after = positionOf(kind, POSITIONS[sort], query.cursor)
  const filter = filterOf(query, nowUs)
  const { rows, next, forgiven = [] } = await searchHosts(store, { q, filter, order: sort, after, limit })
  const ids = rows.map((row) => row.host_id)
  const days = await readDays(store, ids, dayOf(nowUs) - ROW_DAYS + 1)
  const asked = routeAskedIn(q, filter, sort === 'price')
  const { terms } = asked
  const most = terms.length === 0 ? 1 : DESCRIPTIONS_LOOKED_AT
  const [matching, said] = await Promise.all([
    fromParts(store, ids, ({ read, dialect }, own) => matchingRoutes(read, dialect, own, asked)).then(byHost),
    fromParts(store, ids, ({ read, dialect }, own) => firstDescriptions(read, dialect, own, most)).then(byHost),
  ])
  const rowOf = (row: HostListRow): HostRow => {
    const route = fittingRoute(row.name, matching.get(row.host_id) ?? [], asked)
    return {
      ...hostRowOf(row, (days.get(row.host_id) ?? []).map(dayViewOf)),
      match: route && matchOf(route),
      description:
        fittingDescription(route?.descriptions ?? [], terms) ?? fittingDescription(said.get(row.host_id) ?? [], terms),
    }
  }
  return { items: rows.map(rowOf), next: next && encodeCursor(kind, next), forgiven }
}

/** Of an address the host is found by then: its path says which route is meant. */
function routeAskedIn(q: string | null, filter: HostFilter, isByPrice: boolean): RouteAsked {
  const { terms, route } = q === null ? { terms: [] } : askedIn(q)
  if (route === undefined) return { terms, paths: [], filter, isByPrice }
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

function hostRowOf(row: HostListRow, days: readonly DayView[]): Omit<HostRow, 'match' | 'description'> {
  const now = hostNowOf(row.name, row.now[0] ?? null, row)
  return {
    host: row.name,
    routes: row.routes,
    rails: RAILS.filter((rail) => row[`has_${rail}`] !== null),
    priceMin: row.price_min,
    priceMax: row.price_max,
    now,
    past: pastViewOf(now, row.past, row),
    check: priceCheckOf(row, row.differing[0] ?? null),
    medianMs: row.median_sum_ms === null ? null : row.median_sum_ms / 2,
    results: resultsOf(row),
    newestEvidenceUs: row.newest_probe_us,
    days,
    reviewCounts: reviewCountsOf(row),
  }
}

const matchOf = ({ price_low: low, price_high: high, ...route }: MatchingRoute): RouteMatch => ({
  ...{ scheme: route.scheme, method: route.method, path: route.path, rail: route.rail },
  ...{ price: route.price, network: route.network, probeStatus: route.probe_status },
  spread: low === null || high === null ? null : { low, high },
})
