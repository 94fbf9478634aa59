import { latencyLine } from '../../domain/latency.ts'
import { summaryLine } from '../../domain/probe.ts'
import { EMPTY_THREAD } from '../../domain/review.ts'
import type { HostView } from '../../views/host-view.ts'
import { reviewExample } from '../review-example.ts'
import {
  apiProbesHref,
  apiReviewsHref,
  fullAddress,
  hostHref,
  mppThreadHref,
  type Site,
  threadHref,
  withQuery,
} from '../site.ts'
import { timeText, unicodeForm } from '../values.ts'
import {
  DESCRIPTION,
  EVIDENCE_LABEL,
  EXAMPLE_NOTE,
  keptSinceLine,
  LEVEL_LINES,
  PARTS,
  PRODUCT,
  ROUTES_NOTE,
  SELLER_LABEL,
  THREAD_PRICE,
} from '../words.ts'
import { ResultBar, ResultLegend } from './bar.tsx'
import { page } from './layout.tsx'
import { Route, RouteCard } from './route.tsx'
import { Post } from './said.tsx'

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
    title: `${host} · ${PRODUCT}`,
    description: `${host}: ${DESCRIPTION}`,
    canonical: fullAddress(site, hostHref(host)),
    alternates: [
      { type: 'text/markdown', name: 'This host as Markdown', href: hostHref(host, { format: 'md' }) },
      { type: 'application/json', name: 'This host as JSON', href: hostHref(host, { format: 'json' }) },
    ],
    children: (
      <>
        <Header view={view} />
        <Results view={view} />
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
          <dd class="mono">{timeText(counters.newestEvidenceUs)}</dd>
        </div>
        <div>
          <dt>agent reviews</dt>
          <dd>
            <a href={apiReviewsHref(host)}>{counters.agentReviews}</a>
          </dd>
        </div>
      </dl>
    </header>
  )
}

const Results = ({ view }: { readonly view: HostView }) => (
  <section id="results">
    <h2>{PARTS.results}</h2>
    <div class="panel">
      <ResultBar results={view.results} />
      <ResultLegend results={view.results} />
      <p class="exact">{summaryLine(view.results)}</p>
      <p class="exact">{latencyLine(view.latency)}</p>
      {view.keptSinceUs !== null && <p class="cut">{keptSinceLine(view.keptSinceUs)}</p>}
    </div>
  </section>
)

const Routes = ({ view, options }: { readonly view: HostView; readonly options: HostPageOptions }) => {
  const { host, routes, nextRoutes } = view
  const total = view.counters.routes
  const style = options.cards ? 'cards' : null
  return (
    <section id="routes">
      <h2>{PARTS.routes}</h2>
      <p class="small soft">{ROUTES_NOTE}</p>
      <p class="shown">
        {routes.length < total && <span>{`Showing ${routes.length} of ${total} routes`}</span>}
        {total > 0 && (
          <a href={hostHref(host, { view: options.cards ? null : 'cards', cursor: options.cursor })}>
            {options.cards ? 'Show as list' : 'Show as cards'}
          </a>
        )}
      </p>
      {total === 0 && <p class="panel">No listing source names a route of this host.</p>}
      {options.cards ? (
        <div class="cards">
          {routes.map((route) => (
            <RouteCard key={route.address} host={host} route={route} />
          ))}
        </div>
      ) : (
        routes.map((route) => <Route key={route.address} host={host} route={route} />)
      )}
      {(options.cursor !== null || nextRoutes !== null) && (
        <p class="next">
          {options.cursor !== null && <a href={hostHref(host, { view: style })}>First routes</a>}
          {nextRoutes !== null && (
            <a rel="next" href={hostHref(host, { view: style, cursor: nextRoutes })}>
              Next routes
            </a>
          )}
        </p>
      )}
    </section>
  )
}

const Example = ({ site, view }: PartProps) => (
  <section id="example">
    <h2>{PARTS.example}</h2>
    <p class="small soft">{EXAMPLE_NOTE}</p>
    <pre>
      <code>{reviewExample(site, view).curl}</code>
    </pre>
  </section>
)

const Levels = () => (
  <section id="levels">
    <h2>{PARTS.levels}</h2>
    <ul class="levels">
      {LEVEL_LINES.map((line, index) => (
        <li key={line} class={`l${index}`}>
          {line}
        </li>
      ))}
    </ul>
  </section>
)

const Thread = ({ site, view }: PartProps) => {
  const { host, thread } = view
  return (
    <section id="thread">
      <h2>{PARTS.thread}</h2>
      {thread.total === 0 && <p class="panel">{EMPTY_THREAD}</p>}
      {thread.posts.length > 0 && (
        <ol>
          {thread.posts.map((post) => (
            <Post key={post.id} post={post} />
          ))}
        </ol>
      )}
      {thread.next !== null && (
        <p class="cut">
          {`showing ${thread.posts.length} of ${thread.total}`} ·{' '}
          <a href={withQuery(threadHref(host), { cursor: thread.next })}>later posts as JSON</a>
        </p>
      )}
      <p class="cut">
        {`A post costs ${THREAD_PRICE} dollars: POST ${fullAddress(site, threadHref(host))} through x402, or POST ${fullAddress(site, mppThreadHref(host))} through mpp.`}
      </p>
    </section>
  )
}
