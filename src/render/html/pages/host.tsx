import type { HostView } from '../../../views/host/host-view.ts'
import { reviewExample } from '../../review-example.ts'
import { reviewCountsLine } from '../../review-words.ts'
import {
  apiProbesHref,
  apiReviewsHref,
  fullAddress,
  hostFeedHref,
  hostHref,
  listingHistoryHref,
  type Site,
  withQuery,
} from '../../site.ts'
import { timeText, unicodeForm } from '../../values.ts'
import { DESCRIPTION, EVIDENCE_LABEL, EXAMPLE_NOTE, PARTS, PRODUCT, SELLER_LABEL } from '../../words.ts'
import { page } from '../layout.tsx'
import { History } from '../parts/history.tsx'
import { Levels } from '../parts/levels.tsx'
import { Routes } from '../parts/routes.tsx'
import { Thread } from '../parts/thread.tsx'

export interface HostPageOptions {
  readonly cards: boolean
  /** Where the shown part of the route list starts; `null` at its beginning. */
  readonly cursor: string | null
}

interface PartProps {
  readonly site: Site
  readonly view: HostView
}

/** The six parts of a host view, in their order. */
export function hostPage(site: Site, view: HostView, options: HostPageOptions): string {
  const { host } = view
  return page({
    site,
    title: `${host} · ${PRODUCT}`,
    description: `${host}: ${DESCRIPTION}`,
    canonical: fullAddress(site, hostHref(host)),
    alternates: [
      { type: 'text/markdown', name: 'This host as Markdown', href: hostHref(host, { format: 'md' }) },
      { type: 'application/json', name: 'This host as JSON', href: hostHref(host, { format: 'json' }) },
      { type: 'application/atom+xml', name: 'Feed of this host', href: hostFeedHref(host) },
    ],
    children: (
      <>
        <Header view={view} />
        <Jump />
        <History view={view} />
        <Routes view={view} options={options} />
        <Example site={site} view={view} />
        <Levels />
        <Thread site={site} view={view} />
      </>
    ),
  })
}

const Header = ({ view }: { readonly view: HostView }) => {
  const { host, counters } = view
  const unicode = unicodeForm(host)
  return (
    <header>
      <p class="eyebrow">{SELLER_LABEL}</p>
      <h1>{host}</h1>
      {unicode !== null && <p class="soft">{`Unicode form: ${unicode}`}</p>}
      <p class="lead">{DESCRIPTION}</p>
      <p class="label">{EVIDENCE_LABEL}</p>
      <dl class="counters">
        <div>
          <dt>routes</dt>
          <dd>
            <a href="#routes">{counters.routes}</a>
          </dd>
        </div>
        <div>
          <dt>machine evidence rows</dt>
          <dd>
            <a href={apiProbesHref(host)}>{counters.machineEvidenceRows}</a>
          </dd>
        </div>
        <div class="wide">
          <dt>newest evidence</dt>
          <dd>
            {counters.newestEvidenceUs === null ? (
              timeText(null)
            ) : (
              <a href={withQuery(apiProbesHref(host), { limit: '1' })}>{timeText(counters.newestEvidenceUs)}</a>
            )}
          </dd>
        </div>
        <div>
          <dt>agent reviews</dt>
          <dd>
            <a href={apiReviewsHref(host)}>{counters.agentReviews}</a>
          </dd>
        </div>
      </dl>
      <p class="cut">
        {`Reviews: ${reviewCountsLine(view.reviewCounts)} · `}
        <a href={listingHistoryHref(host)}>Where it is listed, since when</a>
      </p>
    </header>
  )
}

const Jump = () => (
  <nav class="jump" aria-label="On this page">
    {Object.entries(PARTS).map(([id, name]) => (
      <a key={id} href={`#${id}`}>
        {name}
      </a>
    ))}
  </nav>
)

const Example = ({ site, view }: PartProps) => (
  <section id="example">
    <h2>{PARTS.example}</h2>
    <p class="small soft">{EXAMPLE_NOTE}</p>
    <pre>
      <code>{reviewExample(site, view).curl}</code>
    </pre>
  </section>
)
