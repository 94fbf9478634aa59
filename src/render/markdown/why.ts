import type { WhyView } from '../../views/why/why-view.ts'
import { documentLine, hostNamedLine, NO_DOCUMENT, NOT_LISTED, refusedLine } from '../listing-words.ts'
import { fullAddress, hostHref, type Site } from '../site.ts'
import {
  NOTHING_REFUSED,
  ROUTES_CUT,
  sourceRefusalLine,
  WHY_LEAD,
  WHY_TITLE,
  whyLine,
  whyRouteLines,
} from '../why-words.ts'
import { codeSpan, fenced } from './quote.ts'

/** As Markdown. Addresses, items and the names of sources stand in fences and code spans. */
export function whyMarkdown(site: Site, view: WhyView): string {
  const { host, path, sources, refused, documents, routes, isCut } = view
  const lines = (all: readonly string[], none: string): string => (all.length === 0 ? none : fenced(all.join('\n')))
  const blocks = [
    `# ${WHY_TITLE} ${codeSpan(`${host}${path ?? ''}`)}`,
    WHY_LEAD,
    fenced(whyLine(view)),
    `Host view: <${fullAddress(site, hostHref(host, { format: 'md' }))}>`,
    '## Listed by',
    lines(sources.map(hostNamedLine), NOT_LISTED),
    '## Refused by',
    lines(refused.map(sourceRefusalLine), NOTHING_REFUSED),
    "## The seller's own documents",
    lines(
      documents.flatMap((document) => [documentLine(document), ...document.refused.map(refusedLine)]),
      NO_DOCUMENT,
    ),
    '## Routes',
    ...routes.flatMap((route) => [
      `${codeSpan(`${route.method} ${route.address}`)}, ${route.rail}`,
      fenced(whyRouteLines(view, route).join('\n')),
    ]),
    ...(isCut ? [ROUTES_CUT] : []),
  ]
  return `${blocks.join('\n\n')}\n`
}
