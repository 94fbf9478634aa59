import type { WhyView } from '../../../views/why/why-view.ts'
import { documentLine, hostNamedLine, NO_DOCUMENT, NOT_LISTED, refusedLine } from '../../listing-words.ts'
import { fullAddress, hostHref, type Site, sourcesHref, whyHref } from '../../site.ts'
import {
  NOTHING_REFUSED,
  ROUTES_CUT,
  sourceRefusalLine,
  WHY_LEAD,
  WHY_TITLE,
  whyLine,
  whyRouteLines,
} from '../../why-words.ts'
import { PRODUCT } from '../../words.ts'
import { page } from '../layout.tsx'
import { Lines } from '../parts/lines.tsx'
import { RouteLines } from '../parts/route-lines.tsx'

/** Why a host or a route is listed and probed as it is, or is not. */
export function whyPage(site: Site, view: WhyView): string {
  const { host, path, sources, refused, documents, routes, isCut } = view
  const as = (format: string): string => whyHref(host, { path, format })
  return page({
    site,
    title: `Why ${host}${path ?? ''} · ${PRODUCT}`,
    description: whyLine(view),
    canonical: fullAddress(site, whyHref(host, { path })),
    alternates: [
      { type: 'text/markdown', name: 'This page as Markdown', href: as('md') },
      { type: 'application/json', name: 'This page as JSON', href: as('json') },
    ],
    children: (
      <>
        <header>
          <p class="eyebrow">
            About <a href={hostHref(host)}>{host}</a>
          </p>
          <h1>{WHY_TITLE}</h1>
          <p class="lead">{whyLine(view)}</p>
          <p class="small soft">{WHY_LEAD}</p>
        </header>
        <section id="routes">
          <h2>Routes</h2>
          {routes.map((route) => (
            <RouteLines
              key={`${route.method} ${route.address} ${route.rail}`}
              host={host}
              route={route}
              lines={whyRouteLines(view, route)}
            />
          ))}
          {routes.length === 0 && <p class="panel">{NOT_LISTED}</p>}
          {isCut && <p class="cut">{ROUTES_CUT}</p>}
        </section>
        <section id="sources">
          <h2>Listed by</h2>
          {sources.length === 0 ? <p class="panel">{NOT_LISTED}</p> : <Lines lines={sources.map(hostNamedLine)} />}
        </section>
        <section id="refused">
          <h2>Refused by</h2>
          <p class="small soft">
            How each source is doing is told on <a href={sourcesHref}>the page of the sources</a>.
          </p>
          {refused.length === 0 ? (
            <p class="panel">{NOTHING_REFUSED}</p>
          ) : (
            <Lines lines={refused.map(sourceRefusalLine)} />
          )}
        </section>
        <section id="documents">
          <h2>The seller’s own documents</h2>
          {documents.length === 0 && <p class="panel">{NO_DOCUMENT}</p>}
          {documents.map((document) => (
            <Lines key={document.source} lines={[documentLine(document), ...document.refused.map(refusedLine)]} />
          ))}
        </section>
      </>
    ),
  })
}
