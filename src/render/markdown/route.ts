import { NO_DATA } from '../../domain/count.ts'
import type { SellerHost } from '../../domain/host.ts'
import { CARD_CODE, cardLine, cardStatusLine, listingLine } from '../../domain/listing.ts'
import { PROBE_HEADING, PROBE_NOTE, probeLine } from '../../domain/probe.ts'
import { REVIEWS_HEADING } from '../../domain/review.ts'
import type { ReviewView, RouteView } from '../../views/host-view.ts'
import { priceDifference } from '../observed.ts'
import { reviewMarks } from '../review-words.ts'
import { apiReviewsHref, fullAddress, routeProbesHref, type Site } from '../site.ts'
import { priceText } from '../values.ts'
import { LISTINGS_HEADING } from '../words.ts'
import { codeSpan, fenced } from './quote.ts'

/** The blocks of one route. Whatever a stranger wrote stands in a code span or a fence, and never in a heading. */
export function routeBlocks(site: Site, host: SellerHost, route: RouteView, cards: boolean): string[] {
  const blocks = [
    `### ${route.method}, ${route.rail}`,
    codeSpan(`${route.method} ${route.address}`),
    cards ? cardBlock(route) : factsBlock(route),
  ]
  const difference = priceDifference(route)
  if (difference !== null) blocks.push(difference)
  blocks.push(`#### ${LISTINGS_HEADING}`, linesOrNoData(route.listings.map(listingLine)))
  blocks.push(`#### ${PROBE_HEADING}`, PROBE_NOTE, linesOrNoData(route.probes.map(probeLine)))
  if (route.probes.length < route.probesTotal) {
    blocks.push(cutLine(route.probes.length, route.probesTotal, fullAddress(site, routeProbesHref(host, route))))
  }
  blocks.push(`#### ${REVIEWS_HEADING}`)
  if (route.reviews.length === 0) blocks.push(NO_DATA)
  blocks.push(...route.reviews.flatMap(reviewBlocks))
  if (route.reviews.length < route.reviewsTotal) {
    blocks.push(cutLine(route.reviews.length, route.reviewsTotal, fullAddress(site, apiReviewsHref(host))))
  }
  return blocks
}

const cardBlock = (route: RouteView): string =>
  fenced([cardLine(route.price, route.rail, route.network), CARD_CODE, cardStatusLine(route.probeStatus)].join('\n'))

const factsBlock = (route: RouteView): string =>
  [
    `- price: ${priceText(route.price)}`,
    `- rail: ${route.rail}`,
    `- network: ${route.network === null ? NO_DATA : codeSpan(route.network)}`,
    `- probe status: ${route.probeStatus}`,
  ].join('\n')

const linesOrNoData = (lines: readonly string[]): string => (lines.length === 0 ? NO_DATA : fenced(lines.join('\n')))

/** An address between angle brackets holds whatever characters the query string holds. */
export const cutLine = (shown: number, total: number, address: string): string =>
  `showing ${shown} of ${total}: <${address}>`

function reviewBlocks(review: ReviewView): string[] {
  const wallet = review.wallet === null ? '' : ` · wallet ${codeSpan(review.wallet)}`
  return [`${reviewMarks(review)}${wallet}`, fenced(review.text)]
}
