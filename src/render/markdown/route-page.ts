import type { AskedView, RoutePageView } from '../../views/route/route-view.ts'
import { ASKED_HEADING, askedCut, askedLine, askedNote, NOTHING_ASKED, shownAsked } from '../asked-prices.ts'
import { PAYEES_HEADING, shownPayees } from '../buyers/payees.ts'
import { reviewExample } from '../examples/review-example.ts'
import { LISTING_HISTORY_TITLE } from '../listing-words.ts'
import { fullAddress, hostHref, listingHistoryHref, routeHref, type Site } from '../site.ts'
import { EXAMPLE_NOTE, keptSinceLine, PARTS } from '../words.ts'
import { descriptionBlocks } from './description.ts'
import { EVERYTHING } from './detail.ts'
import { windowItem } from './now.ts'
import { codeSpan, fenced } from './quote.ts'
import { payeeBlocks, routeBlocks } from './route.ts'

/** One route as Markdown: its facts, its listing rows, a page of its entries, its reviews. */
export function routePageMarkdown(site: Site, view: RoutePageView): string {
  const { host, route, nextProbes, keptSinceUs } = view
  const next = nextProbes === null ? null : routeHref(host, route, { format: 'md', cursor: nextProbes })
  const blocks = [
    `# Route of ${codeSpan(host)}`,
    `Host view: <${fullAddress(site, hostHref(host, { format: 'md' }))}>`,
    `${LISTING_HISTORY_TITLE}: <${fullAddress(site, listingHistoryHref(host, { format: 'md' }))}>`,
    view.windows.map(windowItem).join('\n'),
    ...routeBlocks(site, host, route, false, EVERYTHING, listingHistoryHref(host, { format: 'md' })),
    `#### ${ASKED_HEADING}`,
    ...askedBlocks(view.asked),
    `#### ${PAYEES_HEADING}`,
    ...payeeBlocks({ ...view, payees: shownPayees(view.payees) }),
    ...descriptionBlocks(route.descriptions),
    ...(keptSinceUs === null ? [] : [keptSinceLine(keptSinceUs)]),
    ...(next === null ? [] : [`Older entries: <${fullAddress(site, next)}>`]),
    `## ${PARTS.example}`,
    EXAMPLE_NOTE,
    fenced(reviewExample(site, { host, routes: [route] }).curl, 'bash'),
  ]
  return `${blocks.join('\n\n')}\n`
}

/** Networks as their seller wrote them stand in a fence. */
function askedBlocks(asked: AskedView): string[] {
  if (asked.prices.length === 0) return [NOTHING_ASKED]
  const cut = askedCut(asked)
  return [askedNote(asked), fenced(shownAsked(asked).map(askedLine).join('\n')), ...(cut === null ? [] : [cut])]
}
