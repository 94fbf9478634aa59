import { orNoData, thousands } from '../../domain/count.ts'
import type { SourcesView, SourceView, SweepView } from '../../views/sources-view.ts'
import { fullAddress, type Site, sourcesHref } from '../site.ts'
import { minuteText, timeText } from '../values.ts'
import { PRODUCT } from '../words.ts'
import { page } from './layout.tsx'

const LEAD =
  'Where the stored route facts come from. What a source says is shown as its own words, labelled directory-observed; nobody checked it.'

/** Every listing source with its newest sweeps, their counts and errors, and when it is read next. */
export const sourcesPage = (site: Site, view: SourcesView): string =>
  page({
    site,
    title: `Listing sources · ${PRODUCT}`,
    description: LEAD,
    canonical: fullAddress(site, sourcesHref),
    at: sourcesHref,
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

const count = (n: number | null | undefined): string => (n === null || n === undefined ? orNoData(null) : thousands(n))

const Source = ({ source }: { readonly source: SourceView }) => {
  const [last] = source.sweeps
  return (
    <article class="route">
      <h2>{source.name}</h2>
      <p class="small soft">
        {source.address === '' ? source.kind : `${source.kind}: `}
        {source.address !== '' && <code>{source.address}</code>}
      </p>
      <p class="facts">
        <b>{`Last sweep ${source.sweeping ? 'under way' : orNoData(last?.status ?? null)}`}</b>
        {` · Seen ${count(last?.seen)} · Stored ${count(last?.stored)} · Announced ${count(last?.announced)} · Next run ${timeText(source.nextUs)}`}
      </p>
      {last !== undefined && <NewestSweep sweep={last} />}
      {source.failedPage !== null && (
        <p class="cut">
          {`Last page that failed: ${source.failedPage.error}, ${timeText(source.failedPage.atUs)}, `}
          <code>{source.failedPage.url}</code>
        </p>
      )}
      {source.sweeps.length > 1 && <Sweeps source={source} />}
    </article>
  )
}

const NewestSweep = ({ sweep }: { readonly sweep: SweepView }) => {
  const refused = Object.entries(sweep.refused)
  return (
    <>
      <p class="cut">{`From ${timeText(sweep.startedUs)} to ${timeText(sweep.endedUs)}`}</p>
      {sweep.error !== null && <p class="differs">{`Not complete: ${sweep.error}`}</p>}
      {refused.length > 0 && (
        <p class="cut">{`Refused: ${refused.map(([reason, n]) => `${thousands(n)} ${reason}`).join(', ')}`}</p>
      )}
    </>
  )
}

const Sweeps = ({ source }: { readonly source: SourceView }) => (
  <div class="tablebox">
    <table>
      <caption>{`The newest ${source.sweeps.length} sweeps, UTC`}</caption>
      <thead>
        <tr>
          <th scope="col">Ended</th>
          <th scope="col">Status</th>
          <th scope="col" class="num">
            Seen
          </th>
          <th scope="col" class="num">
            Stored
          </th>
        </tr>
      </thead>
      <tbody>
        {source.sweeps.map((sweep) => (
          <tr key={sweep.startedUs}>
            <th scope="row">{minuteText(sweep.endedUs)}</th>
            <td>{sweep.status}</td>
            <td class="num">{thousands(sweep.seen)}</td>
            <td class="num">{thousands(sweep.stored)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
