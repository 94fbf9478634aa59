import { notServedLine } from '../../domain/buyers/outcome.ts'
import { NO_DATA } from '../../domain/count.ts'
import type { SellerHost } from '../../domain/host.ts'
import { CARD_CODE, cardLine, cardStatusLine, type Listing } from '../../domain/listing.ts'
import { contradictionLine } from '../../domain/offers/contradictions.ts'
import { offerLine } from '../../domain/offers/seen-offer.ts'
import { PROBE_HEADING, PROBE_NOTE } from '../../domain/probe.ts'
import { REVIEWS_HEADING } from '../../domain/review.ts'
import type { RouteView } from '../../views/host/host-view.ts'
import type { RoutePageView } from '../../views/route/route-view.ts'
import { paidCallsLines } from '../buyers/paid-calls.ts'
import { payeeLine, payeesRoomLines } from '../buyers/payees.ts'
import { OFFERS_HEADING } from '../buyers/signed-offers.ts'
import { entriesText } from '../now/entry-lines.ts'
import { challengeFaults, listingText, otherMatch, priceDifference, sourcesSay } from '../observed.ts'
import { retiredBlocks, statementBlocks } from '../sellers/markdown.ts'
import { apiReviewsHref, fullAddress, routeHref, routeProbesHref, type Site } from '../site.ts'
import { networkText, priceText } from '../values.ts'
import { LISTINGS_HEADING } from '../words.ts'
import { type Detail, EVERYTHING } from './detail.ts'
import { besideNow, nowText } from './now.ts'
import { codeSpan, fenced } from './quote.ts'
import { reviewsBlocks } from './review.ts'

/** The blocks of one route. Whatever a stranger wrote stands in a code span or a fence, and never in a heading. */
export function routeBlocks(
  site: Site,
  host: SellerHost,
  route: RouteView,
  cards: boolean,
  most: Detail = EVERYTHING,
  /** Where the listing rows are that are left out; on its own page unless given. */
  moreRows?: string,
): string[] {
  const listings = shownRows(route, most.listings)
  const probes = route.probes.slice(0, most.probes)
  const reviews = route.reviews.slice(0, most.reviews)
  const blocks = [
    `### ${route.method}, ${route.rail}`,
    codeSpan(`${route.method} ${route.address}`),
    ...(cards ? [cardBlock(route), ...wordsOf(sourcesSay(route))] : [factsBlock(route)]),
    nowText(route),
    ...besideNow(route.now),
    ...retiredBlocks(route.retired),
    ...challengeFaults(route).map((fault) => `Fault in the newest challenge: ${fault}`),
  ]
  const difference = priceDifference(route, codeSpan)
  if (difference !== null) blocks.push(difference)
  const match = otherMatch(route, codeSpan)
  if (match !== null) blocks.push(match)
  blocks.push(`#### ${LISTINGS_HEADING}`, fencedOrNoData(listingText(listings)))
  if (listings.length < route.listingsTotal) {
    const more = moreRows ?? routeHref(host, route, { format: 'md' })
    blocks.push(cutLine(listings.length, route.listingsTotal, fullAddress(site, more)))
  }
  blocks.push(...(route.said ?? []).flatMap((said) => statementBlocks(site, said, most.letters)))
  blocks.push(`#### ${PROBE_HEADING}`, PROBE_NOTE, fencedOrNoData(entriesText(probes)))
  if (probes.length < route.probesTotal) {
    blocks.push(cutLine(probes.length, route.probesTotal, fullAddress(site, routeProbesHref(host, route))))
  }
  blocks.push(...offerBlocks(route, '####'), `#### ${REVIEWS_HEADING}`, ...paidCallsBlocks(route))
  if (reviews.length > 0 || route.reviewsTotal === 0) {
    blocks.push(...reviewsBlocks(site, reviews, '####', most.letters))
    if (reviews.length < route.reviewsTotal) {
      blocks.push(cutLine(reviews.length, route.reviewsTotal, fullAddress(site, apiReviewsHref(host))))
    }
  } else blocks.push(cutLine(0, route.reviewsTotal))
  return blocks
}

/** What buyers say of calls that they paid for, and of those that were not served the payments. */
export function paidCallsBlocks({ paidCalls, notServed }: RouteView): string[] {
  const lines = paidCallsLines(paidCalls)
  return [...lines, ...(notServed.length === 0 ? [] : [fenced(notServed.map(notServedLine).join('\n'))])]
}

/** What the seller put its signature to. Strangers' words stand in a fence. */
export function offerBlocks({ signedOffers, contradictions }: RouteView, heading: string): string[] {
  if (signedOffers.length === 0) return []
  return [
    `${heading} ${OFFERS_HEADING}`,
    fenced(signedOffers.map(offerLine).join('\n')),
    ...contradictionBlocks(contradictions.map(contradictionLine)),
  ]
}

/** Who was named to be paid. Strangers' words stand in a fence. */
export function payeeBlocks(
  { payees, payeesTotal }: Pick<RoutePageView, 'payees' | 'payeesTotal'>,
  /** Where those are that are left out; nowhere unless given. */
  more?: string,
): string[] {
  if (payeesTotal === 0) return [NO_DATA]
  return [
    fenced(payees.map(payeeLine).join('\n')),
    ...(payees.length < payeesTotal ? [cutLine(payees.length, payeesTotal, more)] : []),
    ...payeesRoomLines(payeesTotal),
  ]
}

export const contradictionBlocks = (lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['Contradicted:', fenced(lines.join('\n'))]

const cardBlock = (route: RouteView): string =>
  fenced([cardLine(route.price, route.rail, route.network), CARD_CODE, cardStatusLine(route.probeStatus)].join('\n'))

const factsBlock = (route: RouteView): string =>
  [
    `- price: ${priceText(route.price)}`,
    `- rail: ${route.rail}`,
    `- network: ${networkText(route.network, codeSpan)}`,
    `- probe status: ${route.probeStatus}`,
    ...itemOf(sourcesSay(route)),
  ].join('\n')

const wordsOf = (words: string | null): string[] => (words === null ? [] : [words])

/** One item more of a list, where there is something to say. */
export const itemOf = (words: string | null): string[] => wordsOf(words).map((line) => `- ${line}`)

/** The newest, and the one that gives the route its price. */
function shownRows({ listings, price, network }: RouteView, most: number): readonly Listing[] {
  if (listings.length <= most) return listings
  const saying = listings.filter((row) => row.price === price && row.network === network)
  const giving = saying.find(({ goneUs = null }) => goneUs === null) ?? saying[0]
  const newest = listings.slice(0, most)
  return giving === undefined || newest.includes(giving) ? newest : [...newest.slice(0, -1), giving]
}

const fencedOrNoData = (text: string): string => (text === '' ? NO_DATA : fenced(text))

/** An address between angle brackets holds whatever characters the query string holds. */
export const cutLine = (shown: number, total: number, address?: string): string =>
  `showing ${shown} of ${total}${address === undefined ? '' : `: <${address}>`}`
