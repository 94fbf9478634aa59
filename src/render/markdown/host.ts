import { latencyLine } from '../../domain/latency.ts'
import { PROBE_NOTE, summaryLine } from '../../domain/probe.ts'
import type { HostView, RouteView } from '../../views/host/host-view.ts'
import { routeCursor } from '../../views/route/route-cursor.ts'
import { paidCallsLines } from '../buyers/paid-calls.ts'
import { hostContradictions } from '../buyers/signed-offers.ts'
import { reviewExample } from '../examples/review-example.ts'
import { hostCheck, lastDaysLine, neverProbed, nowOrPast, p95Text, whyHostUnprobed } from '../now/now-words.ts'
import { reviewCountsLine } from '../review-words.ts'
import { sellerBlocks } from '../sellers/markdown.ts'
import {
  apiReviewsHref,
  apiRoutesHref,
  badgeHref,
  fullAddress,
  hostEventsHref,
  hostFeedHref,
  hostHref,
  type Site,
  sellersHref,
} from '../site.ts'
import { timeText, unicodeForm } from '../values.ts'
import {
  DESCRIPTION,
  EVIDENCE_LABEL,
  EXAMPLE_NOTE,
  keptSinceLine,
  LEVEL_LINES,
  PARTS,
  ROUTES_NOTE,
  SELLER_LABEL,
} from '../words.ts'
import { type Detail, fitting } from './detail.ts'
import { besideNow } from './now.ts'
import { codeSpan, fenced } from './quote.ts'
import { contradictionBlocks, routeBlocks } from './route.ts'
import { routeLine } from './route-line.ts'
import { threadBlocks } from './thread.ts'

export interface HostMarkdownOptions {
  readonly cards: boolean
}

/**
 * The host view as Markdown: the six parts in their order, every exact line on a line of its own. As much of it as a
 * model reads at once; what is left out is said.
 */
export function hostMarkdown(site: Site, view: HostView, options: HostMarkdownOptions): string {
  const unclaimed = withoutClaims(view)
  const silent = withoutVoices(unclaimed)
  return fitting(
    (detail) => written(site, unclaimed, options, detail),
    (detail) => written(site, silent, options, detail),
    view.seller.claims.length === 0 ? undefined : (detail) => written(site, view, options, detail),
  )
}

/** How many there are, in a line of one length whoever they are. */
const withoutClaims = (view: HostView): HostView => ({ ...view, seller: { ...view.seller, claims: [] } })

/** What sources and probes say of the host, and nothing that a stranger wrote. */
const withoutVoices = (view: HostView): HostView => ({
  ...view,
  routes: view.routes.map((route) => ({ ...route, reviews: [], reviewsTotal: 0, said: [] })),
  thread: { total: 0, posts: [], next: null },
  seller: { ...view.seller, said: [] },
})

function written(site: Site, view: HostView, options: HostMarkdownOptions, detail: Detail): string {
  const blocks = [
    ...header(site, view),
    ...sellerBlocks(site, view.host, view.seller, detail.letters),
    `## ${PARTS.results}`,
    summaryLine(view.results),
    latencyLine(view.latency),
    [...(view.latency === null ? [] : [p95Text(view.latency)]), lastDaysLine(view)]
      .map((line) => `- ${line}`)
      .join('\n'),
    ...(view.keptSinceUs === null ? [] : [keptSinceLine(view.keptSinceUs)]),
    `## ${PARTS.routes}`,
    ...routes(site, view, options.cards, detail),
    `## ${PARTS.example}`,
    EXAMPLE_NOTE,
    fenced(reviewExample(site, view).curl, 'bash'),
    `## ${PARTS.levels}`,
    LEVEL_LINES.map((line) => `- ${line}`).join('\n'),
    `## ${PARTS.thread}`,
    ...threadBlocks(site, view, detail),
  ]
  return `${blocks.join('\n\n')}\n`
}

function header(site: Site, view: HostView): string[] {
  const unicode = unicodeForm(view.host)
  const { counters } = view
  return [
    SELLER_LABEL,
    `# ${view.host}`,
    ...(unicode === null ? [] : [`Unicode form: ${codeSpan(unicode)}`]),
    view.now === null && (view.past ?? null) === null ? neverProbed(whyHostUnprobed(view)) : nowOrPast(view),
    ...besideNow(view.now),
    `Price check: ${hostCheck(view.check, view.counters.routes, codeSpan)}`,
    DESCRIPTION,
    EVIDENCE_LABEL,
    [
      `- routes: ${counters.routes}`,
      `- machine evidence rows: ${counters.machineEvidenceRows}`,
      `- newest evidence: ${timeText(counters.newestEvidenceUs)}`,
      `- agent reviews: ${counters.agentReviews}`,
    ].join('\n'),
    `Reviews: ${reviewCountsLine(view.reviewCounts)}`,
    ...paidCallsLines(view.paidCalls),
    ...contradictionBlocks(hostContradictions(view)),
    `Follow: feed <${fullAddress(site, hostFeedHref(view.host))}>, badge <${fullAddress(site, badgeHref(view.host))}>, events <${fullAddress(site, hostEventsHref(view.host))}>. For sellers: <${fullAddress(site, sellersHref)}>`,
  ]
}

function routes(site: Site, view: HostView, cards: boolean, detail: Detail): string[] {
  const { routes: total } = view.counters
  const blocks = [ROUTES_NOTE]
  const { filter } = view
  const written = view.routes.slice(0, detail.routes)
  if (filter !== null) blocks.push(`${filter.total} of ${total} routes fit, showing ${written.length}`)
  else if (written.length < total) blocks.push(`Showing ${written.length} of ${total} routes`)
  if (total === 0) blocks.push('No listing source names a route of this host.')
  const [full, rest] = [written.slice(0, detail.full), written.slice(detail.full)]
  blocks.push(...full.flatMap((route) => routeBlocks(site, view.host, route, cards, detail)))
  if (detail.reviews === 0 && full.some(({ reviewsTotal }) => reviewsTotal > 0)) {
    blocks.push(`No room for reviews here: <${fullAddress(site, apiReviewsHref(view.host))}>`)
  }
  if (rest.length > 0) blocks.push(linesNote(site, view), rest.map(routeLine).join('\n'))
  const cursor = cursorAfter(view, written)
  if (cursor !== null) {
    const asked = { q: filter?.q ?? null, method: filter?.method ?? null }
    const query = { format: 'md', view: cards ? 'cards' : null, ...asked, cursor }
    blocks.push(`Next routes: <${fullAddress(site, hostHref(view.host, query))}>`)
  }
  return blocks
}

/** Where the routes go on that there was no room for, or else those of the next page. */
function cursorAfter({ routes, nextRoutes }: HostView, written: readonly RouteView[]): string | null {
  const last = written.at(-1)
  return last === undefined || written.length === routes.length ? nextRoutes : routeCursor(last)
}

const linesNote = (site: Site, { host }: HostView): string =>
  `One line for each route from here on. Results are machine-observed. ${PROBE_NOTE} Listing rows, probe entries and reviews of every route: <${fullAddress(site, apiRoutesHref(host))}>; of one: <${fullAddress(site, hostHref(host))}/route?method=…&path=…&rail=…&format=md>`
