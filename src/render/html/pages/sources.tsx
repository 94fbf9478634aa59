import { orNoData, thousands, thousandsOf } from '../../../domain/count.ts'
import { refusalWords } from '../../../domain/words/refusal.ts'
import type { SourcesView, SourceView, SweepView } from '../../../views/sources/sources-view.ts'
import { apiSourceHref, apiSourcesHref, fullAddress, type Site, sourcesHref } from '../../site.ts'
import { changeLine, sweepChange } from '../../sweep-words.ts'
import { minuteText, timeText } from '../../values.ts'
import { PRODUCT } from '../../words.ts'
import { page } from '../layout.tsx'
import { TableBox } from '../parts/table-box.tsx'

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
    alternates: [{ type: 'application/json', name: 'Sources as JSON', href: apiSourcesHref }],
    children: (
      <>
        <header>
          <h1>Listing sources</h1>
          <p class="lead">{LEAD}</p>
        </header>
        <section>
          {view.sources.length === 0 ? (
            <p class="panel">This directory reads no listing source.</p>
          ) : (
            <Health sources={view.sources} />
          )}
        </section>
        {view.sources.map((source) => (
          <Source key={source.name} source={source} />
        ))}
      </>
    ),
  })

interface SourceProps {
  readonly source: SourceView
}

const count = (n: number | null | undefined): string => (n === null || n === undefined ? orNoData(null) : thousands(n))

/** All of them at a glance: when each was last read to its end, and what that changed. */
const Health = ({ sources }: SourcesView) => (
  <div class="tablebox rows">
    <table>
      <thead>
        <tr>
          <th scope="col" class="wide">
            Source
          </th>
          <th scope="col">Last complete sweep (UTC)</th>
          <th scope="col">What changed</th>
          <th scope="col">Now</th>
          <th scope="col">Next run (UTC)</th>
        </tr>
      </thead>
      <tbody>
        {sources.map((source) => (
          <HealthRow key={source.name} source={source} />
        ))}
      </tbody>
    </table>
  </div>
)

const HealthRow = ({ source }: SourceProps) => {
  const { last } = source.complete
  const change = sweepChange(source)
  return (
    <tr>
      <th scope="row">
        <a href={`#${source.name}`}>{source.name}</a>
      </th>
      <td data-name="Last complete sweep">
        {last === null ? 'none yet' : `${minuteText(last.endedUs)}, ${thousandsOf(last.stored, 'row')}`}
      </td>
      <td data-name="What changed" class="over">
        {change === null ? orNoData(null) : changeLine(change)}
      </td>
      <td data-name="Now" class="over">
        {stateWords(source)}
      </td>
      <td data-name="Next run">{source.nextUs === null ? orNoData(null) : minuteText(source.nextUs)}</td>
    </tr>
  )
}

/** Whether it is read now, and how the newest sweep ended where that is not as it should be. */
function stateWords({ sweeping, sweeps }: SourceView): string {
  const [newest] = sweeps
  const words = [
    ...(sweeping ? ['sweep under way'] : []),
    ...(newest === undefined ? ['never swept'] : []),
    ...(newest === undefined || newest.status === 'complete' ? [] : [`newest sweep ${newest.status}: ${newest.error}`]),
  ]
  return words.length === 0 ? 'fine' : words.join(', ')
}

const Source = ({ source }: SourceProps) => {
  const [last] = source.sweeps
  return (
    <section id={source.name}>
      <h2>{source.name}</h2>
      <p class="small soft">
        {source.address === '' ? source.kind : `${source.kind}: `}
        {source.address !== '' && <code>{source.address}</code>}
      </p>
      {last !== undefined && <NewestSweep source={source} sweep={last} />}
      {source.failedPage !== null && (
        <p class="cut">
          {`Last page that failed: ${source.failedPage.error}, ${timeText(source.failedPage.atUs)}, `}
          <code>{source.failedPage.url}</code>
        </p>
      )}
      {source.sweeps.length > 1 && (
        <details>
          <summary>{`The newest ${source.sweeps.length} sweeps`}</summary>
          <Sweeps source={source} />
        </details>
      )}
    </section>
  )
}

const NewestSweep = ({ source, sweep }: SourceProps & { readonly sweep: SweepView }) => {
  const refused = Object.entries(sweep.refused).sort(([, a], [, b]) => b - a)
  return (
    <>
      <p class="facts">
        <b>{`Newest sweep ${sweep.status}`}</b>
        {` · Seen ${count(sweep.seen)} · Stored ${count(sweep.stored)} · Announced ${count(sweep.announced)}`}
      </p>
      <p class="cut">{`From ${timeText(sweep.startedUs)} to ${timeText(sweep.endedUs)}`}</p>
      {sweep.error !== null && <p class="differs">{`Not complete: ${sweep.error}`}</p>}
      {refused.length > 0 && (
        <>
          <p class="cut">
            {`Refused: ${refused.map(([reason, n]) => `${thousands(n)} ${reason}`).join(', ')} · `}
            <a href={apiSourceHref(source.name)}>which these were</a>
          </p>
          <ul class="plain small soft">
            {refused.map(([reason]) => (
              <li key={reason}>{`${reason}: ${refusalWords(reason)}`}</li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

const Sweeps = ({ source }: SourceProps) => (
  <TableBox name={`Sweeps of ${source.name}`}>
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
  </TableBox>
)
