import { NO_DATA } from '../../../domain/count.ts'
import type { DocumentView, ListingHistoryView } from '../../../views/host/listing-history-view.ts'
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
} from '../../listing-words.ts'
import { fullAddress, hostHref, listingHistoryHref, type Site, sourcesHref } from '../../site.ts'
import { PRODUCT } from '../../words.ts'
import { page } from '../layout.tsx'
import { Lines } from '../parts/lines.tsx'
import { RouteLines } from '../parts/route-lines.tsx'

/** Where a seller is listed, since when, and why not. */
export function listingHistoryPage(site: Site, view: ListingHistoryView): string {
  const { host, sources, documents } = view
  return page({
    site,
    title: `Listing history of ${host} · ${PRODUCT}`,
    description: `${host}: ${LISTING_HISTORY_LEAD}`,
    canonical: fullAddress(site, listingHistoryHref(host)),
    alternates: [
      { type: 'text/markdown', name: 'This page as Markdown', href: listingHistoryHref(host, { format: 'md' }) },
      { type: 'application/json', name: 'This page as JSON', href: listingHistoryHref(host, { format: 'json' }) },
    ],
    children: (
      <>
        <header>
          <p class="eyebrow">
            Listing history of <a href={hostHref(host)}>{host}</a>
          </p>
          <h1>{LISTING_HISTORY_TITLE}</h1>
          <p class="lead">{LISTING_HISTORY_LEAD}</p>
        </header>
        <section id="sources">
          <h2>Sources</h2>
          <p class="small soft">
            How each source is doing is told on <a href={sourcesHref}>the page of the sources</a>.
          </p>
          {sources.length === 0 ? <p class="panel">{NOT_LISTED}</p> : <Lines lines={sources.map(hostNamedLine)} />}
        </section>
        <section id="documents">
          <h2>The seller’s own documents</h2>
          {documents.length === 0 && <p class="panel">{NO_DOCUMENT}</p>}
          {documents.map((document) => (
            <Document key={document.source} document={document} />
          ))}
        </section>
        <Routes view={view} />
      </>
    ),
  })
}

const Document = ({ document }: { readonly document: DocumentView }) => {
  const more = moreRefused(document)
  return (
    <article class="route">
      <p class="exact">{documentLine(document)}</p>
      {document.refused.length > 0 && <Lines lines={document.refused.map(refusedLine)} />}
      {more !== null && <p class="cut">{more}</p>}
    </article>
  )
}

const Routes = ({ view: { host, routes, next } }: { readonly view: ListingHistoryView }) => (
  <section id="routes">
    <h2>Routes</h2>
    {routes.length === 0 && <p class="panel">{NO_DATA}</p>}
    {routes.map((route) => (
      <RouteLines
        key={`${route.method} ${route.address} ${route.rail}`}
        host={host}
        route={route}
        lines={route.sources.map(namedLine)}
      />
    ))}
    {next !== null && (
      <p class="next">
        <a rel="next" href={`${listingHistoryHref(host, { cursor: next })}#routes`}>
          More routes
        </a>
      </p>
    )}
  </section>
)
