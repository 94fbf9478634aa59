import { thousands } from '../../../domain/count.ts'
import type { SellerHost } from '../../../domain/host.ts'
import { PROBE_NOTE } from '../../../domain/probe.ts'
import { LEVELS } from '../../../domain/review.ts'
import { EMPTY_THREAD } from '../../../domain/thread.ts'
import type { TimestampUs } from '../../../domain/time/timestamp.ts'
import type { CountedPage } from '../../../views/directory.ts'
import type { PostView, ReviewView, RouteProbeView, RouteView } from '../../../views/host/host-view.ts'
import type { StatementView } from '../../../views/seller/seller-view.ts'
import { LISTS, type ListName, listHref, NO_STATEMENTS } from '../../list-words.ts'
import { InLog } from '../../log/in-log.tsx'
import { routeEntryText } from '../../now/entry-lines.ts'
import { type ProbeRun, runsOf } from '../../now/probe-runs.ts'
import { fullAddress, hostHref, type Site, withQuery } from '../../site.ts'
import { minuteText } from '../../values.ts'
import { PRODUCT } from '../../words.ts'
import type { Child } from '../jsx/jsx-runtime.ts'
import { page } from '../layout.tsx'
import { RESULT_CLASS } from '../parts/charts.tsx'
import { Reviews } from '../parts/reviews.tsx'
import { RouteTable } from '../parts/route-table.tsx'
import { Posts } from '../parts/thread.tsx'
import { SellerSays } from '../sellers/statements.tsx'

/** One page of a list of a host, as it was asked for. */
export interface ListShown<T> {
  readonly host: SellerHost
  readonly page: CountedPage<T>
  readonly nowUs: TimestampUs
  /** What the list was asked with beside its place. */
  readonly query: Readonly<Record<string, string | null>>
  readonly cursor: string | null
}

function listPage<T>(site: Site, name: ListName, shown: ListShown<T>, list: Child): string {
  const { host, cursor, query } = shown
  const { total, items, next } = shown.page
  const words = LISTS[name]
  const href = (more: Readonly<Record<string, string | null>> = {}): string =>
    listHref[name](host, { ...query, ...more })
  return page({
    site,
    title: `${words.title} of ${host} · ${PRODUCT}`,
    description: `${host}: ${words.lead}`,
    canonical: cursor === null ? fullAddress(site, href()) : null,
    alternates: [
      { type: 'text/markdown', name: 'This list as Markdown', href: href({ format: 'md', cursor }) },
      { type: 'application/json', name: 'This list as JSON', href: withQuery(words.api(host), query) },
    ],
    children: (
      <>
        <header>
          <p class="eyebrow">
            {`${words.title} of `}
            <a href={hostHref(host)}>{host}</a>
          </p>
          <h1>{words.title}</h1>
          <p class="lead">{words.lead}</p>
        </header>
        <section id="list">
          {items.length < total && <p class="cut">{`showing ${thousands(items.length)} of ${thousands(total)}`}</p>}
          {list}
          {(cursor !== null || next !== null) && (
            <p class="next">
              {cursor !== null && <a href={href()}>{words.first}</a>}
              {next !== null && (
                <a rel="next" href={href({ cursor: next })}>
                  {words.more}
                </a>
              )}
            </p>
          )}
        </section>
      </>
    ),
  })
}

export const probeListPage = (site: Site, shown: ListShown<RouteProbeView>): string =>
  listPage(
    site,
    'probes',
    shown,
    <>
      <p class="small soft">{PROBE_NOTE}</p>
      <Vantages shown={shown} />
      {shown.page.items.length === 0 && <p class="none">no data</p>}
      {runsOf(shown.page.items).map((run) => (
        <Run key={run.entries[0]?.atUs} run={run} />
      ))}
    </>,
  )

/** Is it down, or from one place alone: the places of these entries, each by itself. */
const Vantages = ({ shown: { host, page, query } }: { readonly shown: ListShown<RouteProbeView> }) => {
  const picked = query.vantage ?? null
  const named = new Set([picked, ...page.items.map(({ vantage }) => vantage)].flatMap((vantage) => vantage ?? []))
  if (named.size < 2 && picked === null) return null
  return (
    <nav class="jump" aria-label="Vantage">
      {[null, ...[...named].toSorted()].map((vantage) => (
        <a
          key={vantage}
          href={listHref.probes(host, { ...query, vantage })}
          aria-current={vantage === picked ? 'true' : undefined}
        >
          {vantage === null ? 'All vantages' : `From ${vantage}`}
        </a>
      ))}
    </nav>
  )
}

/** One minute, or from one to another. */
const minutesText = (fromUs: TimestampUs, toUs: TimestampUs): string =>
  [...new Set([fromUs, toUs].map(minuteText))].join(' to ')

/** Entries in a row of one class are one line; the exact ones are folded below it. */
const Run = ({ run: { result, entries } }: { readonly run: ProbeRun }) => {
  const [newest, oldest] = [entries[0], entries.at(-1)]
  if (newest === undefined || oldest === undefined) return null
  return (
    <details class="run" open={entries.length === 1}>
      <summary>
        <b class={`mark ${RESULT_CLASS[result]}`}>{`${result} × ${thousands(entries.length)}`}</b>
        {`, ${minutesText(oldest.atUs, newest.atUs)} UTC`}
      </summary>
      <pre class="lines">{entries.map(routeEntryText).join('\n')}</pre>
      <InLog of={entries} />
    </details>
  )
}

export const reviewListPage = (site: Site, shown: ListShown<ReviewView>): string =>
  listPage(
    site,
    'reviews',
    shown,
    <>
      <nav class="jump" aria-label="Support level">
        {[null, ...LEVELS].map((level) => (
          <a
            key={level}
            href={listHref.reviews(shown.host, { ...shown.query, level })}
            aria-current={level === (shown.query.level || null) ? 'true' : undefined}
          >
            {level ?? 'All levels'}
          </a>
        ))}
      </nav>
      <Reviews reviews={shown.page.items} nowUs={shown.nowUs} heading="h2" isNamed={true} />
    </>,
  )

export const routeListPage = (site: Site, shown: ListShown<RouteView>): string =>
  listPage(
    site,
    'routes',
    shown,
    shown.page.items.length === 0 ? (
      <p class="none">no data</p>
    ) : (
      <RouteTable host={shown.host} routes={shown.page.items} nowUs={shown.nowUs} />
    ),
  )

export const threadListPage = (site: Site, shown: ListShown<PostView>): string =>
  listPage(
    site,
    'thread',
    shown,
    shown.page.items.length === 0 ? (
      <p class="panel">{EMPTY_THREAD}</p>
    ) : (
      <Posts posts={shown.page.items} nowUs={shown.nowUs} isLogged />
    ),
  )

export const statementListPage = (site: Site, shown: ListShown<StatementView>): string =>
  listPage(
    site,
    'statements',
    shown,
    shown.page.items.length === 0 ? (
      <p class="panel">{NO_STATEMENTS}</p>
    ) : (
      shown.page.items.map((statement) => <SellerSays key={statement.id} statement={statement} isNamed={true} />)
    ),
  )
