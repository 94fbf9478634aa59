import { NO_DATA } from '../../domain/count.ts'
import { compareListings } from '../../domain/listing.ts'
import { currentRows } from '../../domain/money/route-price.ts'
import { PROBE_HEADING, PROBE_NOTE } from '../../domain/probe.ts'
import { addressOf } from '../../domain/route.ts'
import type { DecisionView, LevelRatings } from '../../views/decision/decision-view.ts'
import { PAYEES_HEADING } from '../buyers/payees.ts'
import { DECISION_NOTE, DECISION_TITLE, priceDiffers, reviewsIn, unknowns } from '../decision-words.ts'
import { entriesText } from '../now/entry-lines.ts'
import { challengeFaults, listingText, observedPrice, otherMatch, priceDifference, sourcesSay } from '../observed.ts'
import { retiredBlocks } from '../sellers/markdown.ts'
import { apiReviewsHref, fullAddress, hostHref, routeHref, type Site } from '../site.ts'
import { networkText, priceText, timeText } from '../values.ts'
import { EVIDENCE_LABEL } from '../words.ts'
import { besideNow, nowText, windowItem } from './now.ts'
import { codeSpan, fenced } from './quote.ts'
import { itemOf, offerBlocks, paidCallsBlocks, payeeBlocks } from './route.ts'

/** The answer to "should I pay this?" for one route, as Markdown. What strangers wrote stands in code spans and fences. */
export function decisionMarkdown(site: Site, view: DecisionView): string {
  const { host, asked, route } = view
  const url = addressOf(asked.scheme, host, asked.path)
  const blocks = [
    `# ${DECISION_TITLE}`,
    codeSpan(`${asked.method} ${url}`),
    `On rail ${asked.rail}, of host <${fullAddress(site, hostHref(host, { format: 'md' }))}>`,
    ...(url === route.address ? [] : [`Listed as ${codeSpan(route.address)}`]),
    DECISION_NOTE,
    EVIDENCE_LABEL,
    nowText(route),
    ...besideNow(route.now),
    ...retiredBlocks(route.retired),
    '## Price',
    ...priceBlocks(view),
    `## ${PROBE_HEADING}`,
    PROBE_NOTE,
    ...probeBlocks(view),
    ...offerBlocks(route, '##'),
    '## Agent reviews',
    view.reviews.byLevel.map(levelItem).join('\n'),
    ...paidCallsBlocks(route),
    `Not counted: ${view.reviews.excluded} founder and self-generated. All: <${fullAddress(site, apiReviewsHref(host))}>`,
    `## ${PAYEES_HEADING}`,
    ...payeeBlocks(view, fullAddress(site, routeHref(host, route))),
    '## What is not known',
    unknowns(view)
      .map((line) => `- ${line}`)
      .join('\n'),
  ]
  return `${blocks.join('\n\n')}\n`
}

const DIFFERS = { true: 'yes', false: 'no', null: 'not known' } as const

function priceBlocks(view: DecisionView): string[] {
  const { route } = view
  const observed = observedPrice(route)
  const difference = priceDifference(route, codeSpan)
  const match = otherMatch(route, codeSpan)
  const rows = currentRows(route.listings).toSorted(compareListings)
  return [
    [
      `- listed: ${priceText(route.price)}, network ${networkText(route.network, codeSpan)}`,
      `- observed: ${priceText(observed?.price ?? null)}, network ${networkText(observed?.network ?? null, codeSpan)}, at ${timeText(observed?.atUs ?? null)}`,
      `- price differs: ${DIFFERS[`${priceDiffers(view)}`]}`,
      `- probe status: ${route.probeStatus}`,
      ...itemOf(sourcesSay(route)),
      ...challengeFaults(route).map((fault) => `- fault in the newest challenge: ${fault}`),
    ].join('\n'),
    ...(difference === null ? [] : [difference]),
    ...(match === null ? [] : [match]),
    ...(rows.length === 0 ? [] : [fenced(listingText(rows))]),
  ]
}

function probeBlocks({ route, windows }: DecisionView): string[] {
  const newest = route.probes[0]
  return [
    windows.map(windowItem).join('\n'),
    newest === undefined ? NO_DATA : `Newest of ${route.probesTotal}:\n\n${fenced(entriesText([newest]))}`,
  ]
}

function levelItem(level: LevelRatings): string {
  const given = level.ratings.flatMap((n, index) => (n === 0 ? [] : [`${n} × rating ${index + 1}`]))
  return `- ${level.level}: ${reviewsIn(level)}${given.length === 0 ? '' : ` (${given.join(', ')})`}`
}
