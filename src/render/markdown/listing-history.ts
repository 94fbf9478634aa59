import { NO_DATA } from '../../domain/count.ts'
import type { ListingHistoryView } from '../../views/host/listing-history-view.ts'
import {
  documentLine,
  hostNamedLine,
  LISTING_HISTORY_LEAD,
  LISTING_HISTORY_TITLE,
  moreRefused,
  NO_DOCUMENT,
  NOT_LISTED,
  namedLine,
  refusedLine,
} from '../listing-words.ts'
import { fullAddress, hostHref, listingHistoryHref, type Site } from '../site.ts'
import { codeSpan, fenced } from './quote.ts'

/** As Markdown. Addresses, items and the names of sources stand in fences and code spans. */
export function listingHistoryMarkdown(site: Site, view: ListingHistoryView): string {
  const { host, sources, documents, routes, next } = view
  const lines = (all: readonly string[]): string => (all.length === 0 ? NO_DATA : fenced(all.join('\n')))
  const blocks = [
    `# ${LISTING_HISTORY_TITLE}: ${codeSpan(host)}`,
    LISTING_HISTORY_LEAD,
    `Host view: <${fullAddress(site, hostHref(host, { format: 'md' }))}>`,
    '## Sources',
    sources.length === 0 ? NOT_LISTED : lines(sources.map(hostNamedLine)),
    "## The seller's own documents",
    ...(documents.length === 0 ? [NO_DOCUMENT] : []),
    ...documents.flatMap((document) => {
      const more = moreRefused(document)
      return [lines([documentLine(document), ...document.refused.map(refusedLine)]), ...(more === null ? [] : [more])]
    }),
    '## Routes',
    ...(routes.length === 0 ? [NO_DATA] : []),
    ...routes.flatMap(({ method, address, rail, sources }) => [
      `${codeSpan(`${method} ${address}`)}, ${rail}`,
      lines(sources.map(namedLine)),
    ]),
    ...(next === null
      ? []
      : [`More routes: <${fullAddress(site, listingHistoryHref(host, { format: 'md', cursor: next }))}>`]),
  ]
  return `${blocks.join('\n\n')}\n`
}
