import { orNoData } from '../../domain/count.ts'
import type { SourcesView, SourceView, SweepView } from '../../views/sources-view.ts'
import { fullAddress, type Site, sourcesHref } from '../site.ts'
import { timeText } from '../values.ts'
import { PRODUCT } from '../words.ts'
import { page } from './layout.tsx'

const LEAD =
  'Where the stored route facts come from. What a source says is shown as its own words, labelled directory-observed; nobody checked it.'

/** Every listing source with its newest sweep, its counts, its errors and when it is read next. */
export const sourcesPage = (site: Site, view: SourcesView): string =>
  page({
    title: `Listing sources · ${PRODUCT}`,
    description: LEAD,
    canonical: fullAddress(site, sourcesHref),
    alternates: [{ type: 'application/json', name: 'Sources as JSON', href: '/v1/sources' }],
    children: (
      <>
        <header>
          <h1>Listing sources</h1>
          <p class="lead">{LEAD}</p>
        </header>
        <section>
          {view.sources.length === 0 && <p class="panel">This directory reads no listing source.</p>}
          {view.sources.map((source) => (
            <Source key={source.name} source={source} />
          ))}
        </section>
      </>
    ),
  })

const Source = ({ source }: { readonly source: SourceView }) => {
  const [last] = source.sweeps
  return (
    <article class="route">
      <h2>{source.name}</h2>
      <p class="small soft">
        {source.address === '' ? source.kind : `${source.kind}: `}
        {source.address !== '' && <code>{source.address}</code>}
      </p>
      <dl class="facts">
        <dt>Last sweep</dt>
        <dd>{source.sweeping ? 'under way' : orNoData(last?.status ?? null)}</dd>
        <dt>Seen</dt>
        <dd>{orNoData(last?.seen ?? null)}</dd>
        <dt>Stored</dt>
        <dd>{orNoData(last?.stored ?? null)}</dd>
        <dt>Announced</dt>
        <dd>{orNoData(last?.announced ?? null)}</dd>
      </dl>
      {last !== undefined && <Sweep sweep={last} />}
      {source.failedPage !== null && (
        <p class="cut">
          {`Last page that failed: ${source.failedPage.error}, ${timeText(source.failedPage.atUs)}, `}
          <code>{source.failedPage.url}</code>
        </p>
      )}
      <p class="cut">{`Next run: ${timeText(source.nextUs)}`}</p>
    </article>
  )
}

const Sweep = ({ sweep }: { readonly sweep: SweepView }) => {
  const refused = Object.entries(sweep.refused)
  return (
    <>
      <p class="cut">{`From ${timeText(sweep.startedUs)} to ${timeText(sweep.endedUs)}`}</p>
      {sweep.error !== null && <p class="differs">{`Not complete: ${sweep.error}`}</p>}
      {refused.length > 0 && (
        <p class="cut">{`Refused: ${refused.map(([reason, n]) => `${n} ${reason}`).join(', ')}`}</p>
      )}
    </>
  )
}
