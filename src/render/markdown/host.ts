import { latencyLine } from '../../domain/latency.ts'
import { summaryLine } from '../../domain/probe.ts'
import { EMPTY_THREAD } from '../../domain/review.ts'
import type { HostView, PostView } from '../../views/host-view.ts'
import { reviewExample } from '../review-example.ts'
import { postMarks } from '../review-words.ts'
import { fullAddress, hostHref, mppThreadHref, nextAddress, type Site, threadHref } from '../site.ts'
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
  THREAD_PRICE,
} from '../words.ts'
import { codeSpan, fenced } from './quote.ts'
import { cutLine, routeBlocks } from './route.ts'

export interface HostMarkdownOptions {
  readonly cards: boolean
}

/** The host view as Markdown: the six parts in their order, every exact line on a line of its own. */
export function hostMarkdown(site: Site, view: HostView, options: HostMarkdownOptions): string {
  const blocks = [
    ...header(view),
    `## ${PARTS.results}`,
    summaryLine(view.results),
    latencyLine(view.latency),
    ...(view.keptSinceUs === null ? [] : [keptSinceLine(view.keptSinceUs)]),
    `## ${PARTS.routes}`,
    ...routes(site, view, options.cards),
    `## ${PARTS.example}`,
    EXAMPLE_NOTE,
    fenced(reviewExample(site, view).curl, 'bash'),
    `## ${PARTS.levels}`,
    LEVEL_LINES.map((line) => `- ${line}`).join('\n'),
    `## ${PARTS.thread}`,
    ...thread(site, view),
  ]
  return `${blocks.join('\n\n')}\n`
}

function header(view: HostView): string[] {
  const unicode = unicodeForm(view.host)
  const { counters } = view
  return [
    SELLER_LABEL,
    `# ${view.host}`,
    ...(unicode === null ? [] : [`Unicode form: ${codeSpan(unicode)}`]),
    DESCRIPTION,
    EVIDENCE_LABEL,
    [
      `- routes: ${counters.routes}`,
      `- machine evidence rows: ${counters.machineEvidenceRows}`,
      `- newest evidence: ${timeText(counters.newestEvidenceUs)}`,
      `- agent reviews: ${counters.agentReviews}`,
    ].join('\n'),
  ]
}

function routes(site: Site, view: HostView, cards: boolean): string[] {
  const { routes: total } = view.counters
  const blocks = [ROUTES_NOTE]
  if (view.routes.length < total) blocks.push(`Showing ${view.routes.length} of ${total} routes`)
  if (total === 0) blocks.push('No listing source names a route of this host.')
  blocks.push(...view.routes.flatMap((route) => routeBlocks(site, view.host, route, cards)))
  if (view.nextRoutes !== null) {
    const query = { format: 'md', view: cards ? 'cards' : null, cursor: view.nextRoutes }
    blocks.push(`Next routes: <${fullAddress(site, hostHref(view.host, query))}>`)
  }
  return blocks
}

function thread(site: Site, view: HostView): string[] {
  const { posts, total, next } = view.thread
  const blocks = posts.flatMap(postBlocks)
  if (total === 0) blocks.push(EMPTY_THREAD)
  const more = nextAddress(site, threadHref(view.host), new URLSearchParams(), next)
  if (more !== null) blocks.push(cutLine(posts.length, total, more))
  const [x402, mpp] = [threadHref(view.host), mppThreadHref(view.host)].map((href) => fullAddress(site, href))
  blocks.push(`A post costs ${THREAD_PRICE} dollars: POST <${x402}> through x402, or POST <${mpp}> through mpp.`)
  return blocks
}

function postBlocks(post: PostView): string[] {
  const marks = `${postMarks(post)} · wallet ${codeSpan(post.wallet)}`
  if (post.hidden === null) return [marks, fenced(post.text)]
  return [marks, `Hidden ${timeText(post.hidden.atUs)}: ${codeSpan(post.hidden.reason)}`]
}
