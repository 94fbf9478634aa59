import type { SellerHost } from '../../domain/host.ts'
import { addressOf } from '../../domain/route.ts'
import type { Forgiven } from '../../domain/words/asked.ts'
import type { Page, PostView, ReviewView, RouteProbeView, RouteView } from '../../views/host/host-view.ts'
import type { HostQuery, RouteMatch } from '../../views/host/hosts-view.ts'
import type { Instead, ListedHost, ListedPage, RetiredFound } from '../../views/seller/listed-hosts.ts'
import { hostsQuery, insteadLine, unfit } from '../hosts-query.ts'
import {
  apiHostHref,
  apiHostsHref,
  apiProbesHref,
  apiReviewsHref,
  apiRoutesHref,
  fullAddress,
  nextAddress,
  routeHref,
  type Site,
  threadHref,
} from '../site.ts'
import { agentReviews, networkJson, priceOrNull, timeOrNull } from '../values.ts'
import { notLookedFor, type WayOn, waysBeside, waysOn } from '../ways-on.ts'
import { hostNowJson, pastJson, priceCheckJson } from './now.ts'
import { postJson } from './post.ts'
import { resultsJson } from './results.ts'
import { reviewCountsJson, reviewJson } from './review.ts'
import { descriptionJson, routeJson, routeProbeJson, spreadJson } from './route.ts'
import { retiredJson } from './statement.ts'

type Counted<T> = Page<T> & { readonly total: number }

const NO_QUERY = new URLSearchParams()

/** `query` is what this page was asked with: filters and limit continue on the next one. */
export const routesJson = (site: Site, host: SellerHost, page: Counted<RouteView>, query = NO_QUERY) => ({
  host,
  total: page.total,
  routes: page.items.map((route) => routeJson(site, route, { cards: false })),
  next: nextAddress(site, apiRoutesHref(host), query, page.next),
})

export const probesJson = (site: Site, host: SellerHost, page: Counted<RouteProbeView>, query = NO_QUERY) => ({
  host,
  total: page.total,
  probes: page.items.map(routeProbeJson),
  next: nextAddress(site, apiProbesHref(host), query, page.next),
})

export const reviewsJson = (site: Site, host: SellerHost, page: Counted<ReviewView>, query = NO_QUERY) => ({
  host,
  total: page.total,
  reviews: page.items.map((review) => reviewJson(site, review)),
  next: nextAddress(site, apiReviewsHref(host), query, page.next),
})

export const threadJson = (site: Site, host: SellerHost, page: Counted<PostView>, query = NO_QUERY) => ({
  host,
  total: page.total,
  posts: page.items.map((post) => postJson(site, host, post)),
  next: nextAddress(site, threadHref(host), query, page.next),
})

const matchJson = (site: Site, host: SellerHost, match: RouteMatch) => ({
  method: match.method,
  address: addressOf(match.scheme, host, match.path),
  rail: match.rail,
  price: priceOrNull(match.price),
  network: match.network,
  probe_status: match.probeStatus,
  href: fullAddress(site, routeHref(host, match)),
  ...networkJson(match.network),
  ...spreadJson(match.spread ?? null),
})

/** Said beside the route that is nearest to what was asked for, or beside none. */
function unfitJson(query: HostQuery, row: ListedHost) {
  const line = unfit(query, row)
  return line === null ? {} : { no_match: line }
}

const hostRowJson = (site: Site, query: HostQuery, row: ListedHost) => ({
  host: row.host,
  href: fullAddress(site, apiHostHref(row.host)),
  routes: row.routes,
  rails: row.rails,
  price_min: priceOrNull(row.priceMin),
  price_max: priceOrNull(row.priceMax),
  now: row.now && hostNowJson(row.now),
  ...pastJson(row),
  price_check: priceCheckJson(row.check, row.routes),
  median_ms: row.medianMs,
  probe_history: resultsJson(row.results),
  newest_evidence: timeOrNull(row.newestEvidenceUs),
  agent_reviews: agentReviews(row),
  ...reviewCountsJson(row.reviewCounts),
  match: row.match && matchJson(site, row.host, row.match),
  ...unfitJson(query, row),
  description: row.description && descriptionJson(row.description),
  ...(row.retired == null ? {} : { retired: retiredJson(site, row.retired) }),
})

const forgivenJson = ({ word, takenFor }: Forgiven) => ({ word, taken_for: takenFor })

/** What a list of nothing leaves out. */
function leftOutJson(site: Site, query: HostQuery, found: RetiredFound) {
  if (found.hosts === 0) return {}
  const href = `${apiHostsHref}?${hostsQuery({ ...query, retired: 'with' })}`
  return { retired_left_out: { at_least: found.hosts, href: fullAddress(site, href) } }
}

/** The search that is answered in the place of the one that was asked. */
function insteadJson(instead: Instead) {
  const { words, query } = instead
  const chosen = { rail: query.rail, network: query.network, max_price: priceOrNull(query.maxPrice) }
  return { instead: { of: words, ...chosen, line: insteadLine(instead) } }
}

const wayJson = (site: Site, way: WayOn) => ({
  words: way.words,
  href: fullAddress(site, 'search' in way ? `${apiHostsHref}?${hostsQuery(way.search)}` : way.href),
})

function waysJson(site: Site, query: HostQuery, { items, wider, retiredFound }: ListedPage) {
  if (wider === undefined) return {}
  const listed = { query, wider, ...(retiredFound !== undefined && { retiredFound }) }
  const ways = items.length === 0 ? waysOn(listed) : waysBeside(listed)
  const line = items.length === 0 ? notLookedFor(query) : null
  return {
    ...(line === null ? {} : { not_looked_for: line }),
    ...(ways.length === 0 ? {} : { ways_on: ways.map((way) => wayJson(site, way)) }),
  }
}

/** `asked`: another may be answered in its place. */
export function hostsJson(site: Site, asked: HostQuery, page: ListedPage) {
  const query = page.instead?.query ?? asked
  return {
    sort: query.sort,
    ...(page.instead ? insteadJson(page.instead) : {}),
    ...(page.forgiven?.length ? { forgiven: page.forgiven.map(forgivenJson) } : {}),
    hosts: page.items.map((row) => hostRowJson(site, query, row)),
    ...(page.retiredFound ? leftOutJson(site, query, page.retiredFound) : {}),
    ...waysJson(site, query, page),
    next: nextAddress(site, apiHostsHref, hostsQuery(query), page.next),
  }
}
