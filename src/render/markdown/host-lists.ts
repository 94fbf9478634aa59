import { NO_DATA } from '../../domain/count.ts'
import type { SellerHost } from '../../domain/host.ts'
import { PROBE_NOTE } from '../../domain/probe.ts'
import type { CountedPage } from '../../views/directory.ts'
import type { PostView, ReviewView, RouteProbeView, RouteView } from '../../views/host/host-view.ts'
import type { StatementView } from '../../views/seller/seller-view.ts'
import { LISTS, type ListName, listHref } from '../list-words.ts'
import { routeEntryText } from '../now/entry-lines.ts'
import { runsOf } from '../now/probe-runs.ts'
import { statementBlocks } from '../sellers/markdown.ts'
import { fullAddress, hostHref, type Site } from '../site.ts'
import { EVERYTHING } from './detail.ts'
import { codeSpan, fenced } from './quote.ts'
import { reviewsBlocks } from './review.ts'
import { routeLine } from './route-line.ts'
import { postBlocks } from './thread.ts'

interface Shown<T> {
  readonly host: SellerHost
  readonly page: CountedPage<T>
  readonly query: Readonly<Record<string, string | null>>
}

/** One page of a list of a host. */
function listMarkdown<T>(
  site: Site,
  name: ListName,
  { host, page, query }: Shown<T>,
  blocks: readonly string[],
): string {
  const next = page.next === null ? null : listHref[name](host, { ...query, format: 'md', cursor: page.next })
  const all = [
    `# ${LISTS[name].title} of ${codeSpan(host)}`,
    LISTS[name].lead,
    `Host view: <${fullAddress(site, hostHref(host, { format: 'md' }))}>`,
    `showing ${page.items.length} of ${page.total}`,
    ...(page.items.length === 0 ? [NO_DATA] : blocks),
    ...(next === null ? [] : [`${LISTS[name].more}: <${fullAddress(site, next)}>`]),
  ]
  return `${all.join('\n\n')}\n`
}

export const routeListMarkdown = (site: Site, shown: Shown<RouteView>): string =>
  listMarkdown(site, 'routes', shown, [shown.page.items.map(routeLine).join('\n')])

export const probeListMarkdown = (site: Site, shown: Shown<RouteProbeView>): string =>
  listMarkdown(site, 'probes', shown, [
    PROBE_NOTE,
    ...runsOf(shown.page.items).flatMap(({ result, entries }) => [
      `${result} × ${entries.length}`,
      fenced(entries.map(routeEntryText).join('\n')),
    ]),
  ])

export const reviewListMarkdown = (site: Site, shown: Shown<ReviewView>): string =>
  listMarkdown(site, 'reviews', shown, reviewsBlocks(site, shown.page.items, '##', EVERYTHING.letters, true))

export const threadListMarkdown = (site: Site, shown: Shown<PostView>): string =>
  listMarkdown(
    site,
    'thread',
    shown,
    shown.page.items.flatMap((post) => postBlocks(site, post, EVERYTHING.letters)),
  )

export const statementListMarkdown = (site: Site, shown: Shown<StatementView>): string =>
  listMarkdown(
    site,
    'statements',
    shown,
    shown.page.items.flatMap((statement) => statementBlocks(site, statement, EVERYTHING.letters)),
  )
