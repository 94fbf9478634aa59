import { thousands } from '../../../domain/count.ts'
import type { HostView } from '../../../views/host/host-view.ts'
import { reviewExample } from '../../examples/review-example.ts'
import { hostCheck, nowOfAll, sharedBy, whyHostUnprobed } from '../../now/now-words.ts'
import { reviewCountsLine } from '../../review-words.ts'
import {
  fullAddress,
  hostFeedHref,
  hostHref,
  hostPictureHref,
  hostProbesHref,
  hostReviewsHref,
  hostRoutesHref,
  listingHistoryHref,
  type Site,
} from '../../site.ts'
import { timeText, unicodeForm } from '../../values.ts'
import { DESCRIPTION, EVIDENCE_LABEL, EXAMPLE_NOTE, PARTS, PRODUCT, SELLER_LABEL } from '../../words.ts'
import { once } from '../jsx/jsx-runtime.ts'
import { page } from '../layout.tsx'
import { PaidCalls } from '../parts/buyers/paid-calls.tsx'
import { Contradicted } from '../parts/buyers/signed-offers.tsx'
import { Hatches } from '../parts/charts.tsx'
import { Follow, ForSellers } from '../parts/follow.tsx'
import { History } from '../parts/history.tsx'
import { Levels } from '../parts/levels.tsx'
import { NowLine } from '../parts/now.tsx'
import { Routes } from '../parts/routes.tsx'
import { Thread } from '../parts/thread.tsx'
import { isRetired, Retired, SellerBox } from '../sellers/statements.tsx'

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
    picture: fullAddress(site, hostPictureHref(host)),
    alternates: [
      { type: 'text/markdown', name: 'This host as Markdown', href: hostHref(host, { format: 'md' }) },
      { type: 'application/json', name: 'This host as JSON', href: hostHref(host, { format: 'json' }) },
      { type: 'application/atom+xml', name: 'Feed of this host', href: hostFeedHref(host) },
    ],
    children: (
      <>
        <Hatches />
        <Header site={site} view={view} />
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

const Header = ({ site, view }: PartProps) => {
  const { host, counters, now } = view
  const unicode = unicodeForm(host)
  return (
    <header>
      <p class="eyebrow">{SELLER_LABEL}</p>
      <h1>{host}</h1>
      {unicode !== null && <p class="soft">{`Unicode form: ${unicode}`}</p>}
      <Retired retired={view.seller.retired} />
      <NowLine
        now={now && nowOfAll(now)}
        nowUs={view.nowUs}
        shared={now && sharedBy(now)}
        past={view.past}
        why={now === null ? whyHostUnprobed(view) : undefined}
        isRetired={isRetired(view.seller)}
      />
      <p class="checkline">
        {'Price check: '}
        <b class={`check ${checkClass(view)}`}>{hostCheck(view.check, counters.routes)}</b>
      </p>
      <Follow host={host} routes={view.routes} />
      <Lead />
      <dl class="counters">
        <div>
          <dt>routes</dt>
          <dd>
            <a href={hostRoutesHref(host)}>{thousands(counters.routes)}</a>
          </dd>
        </div>
        <div>
          <dt>machine evidence rows</dt>
          <dd>
            <a href={hostProbesHref(host)}>{thousands(counters.machineEvidenceRows)}</a>
          </dd>
        </div>
        <div class="wide">
          <dt>newest evidence</dt>
          <dd>
            {counters.newestEvidenceUs === null ? (
              timeText(null)
            ) : (
              <a href={hostProbesHref(host)}>{timeText(counters.newestEvidenceUs)}</a>
            )}
          </dd>
        </div>
        <div>
          <dt>agent reviews</dt>
          <dd>
            <a href={hostReviewsHref(host)}>{thousands(counters.agentReviews)}</a>
          </dd>
        </div>
      </dl>
      <p class="cut">
        {`Reviews: ${reviewCountsLine(view.reviewCounts)} · `}
        <a href={listingHistoryHref(host)}>Where it is listed, since when</a>
      </p>
      <PaidCalls calls={view.paidCalls} />
      <Contradicted view={view} />
      <SellerBox host={view.host} seller={view.seller} />
      <ForSellers site={site} view={view} />
    </header>
  )
}

const Lead = once(() => (
  <>
    <p class="lead">{DESCRIPTION}</p>
    <p class="label">{EVIDENCE_LABEL}</p>
  </>
))

/** What differs is marked, however much is verified beside it. */
const checkClass = ({ check }: HostView): string =>
  check.differs > 0 ? 'differs' : check.verified > 0 ? 'verified' : 'unverified'

const Jump = once(() => (
  <nav class="jump" aria-label="On this page">
    {Object.entries(PARTS).map(([id, name]) => (
      <a key={id} href={`#${id}`}>
        {name}
      </a>
    ))}
  </nav>
))

const ExampleTitle = once(() => (
  <>
    <h2>{PARTS.example}</h2>
    <p class="small soft">{EXAMPLE_NOTE}</p>
  </>
))

const Example = ({ site, view }: PartProps) => (
  <section id="example">
    <ExampleTitle />
    <pre>
      <code>{reviewExample(site, view).curl}</code>
    </pre>
  </section>
)
