import { thousands } from '../../../domain/count.ts'
import { latencyLine } from '../../../domain/latency.ts'
import { RESULTS, summaryLine } from '../../../domain/probe.ts'
import { formatDay } from '../../../domain/time/day.ts'
import { CHART_DAYS, type DayView } from '../../../views/host/day-view.ts'
import type { HostView } from '../../../views/host/host-view.ts'
import { lastDays, NO_ENTRIES } from '../../days.ts'
import { lastDaysLine, p95Text } from '../../now/now-words.ts'
import { keptSinceLine, PARTS } from '../../words.ts'
import { once } from '../jsx/jsx-runtime.ts'
import { DayBars, LatencyLine } from './charts.tsx'
import { ResultLegend } from './legend.tsx'
import { TableBox } from './table-box.tsx'

/** Sixty days of a host or of one route: what each saw, and how long it took. */
export const Days = ({ view: { days, today } }: { readonly view: Pick<HostView, 'days' | 'today'> }) => (
  <>
    {days.length === 0 && <p class="small">No probe in these days.</p>}
    <DayBars days={days} today={today} length={CHART_DAYS} isNamed={true} />
    <p class="axis">
      <span>{formatDay(today - CHART_DAYS + 1)}</span>
      <span>each bar is a day, a gap is a day without a probe</span>
      <span>{formatDay(today)}</span>
    </p>
    <ResultLegend />
    <LatencyLine days={days} today={today} length={CHART_DAYS} />
  </>
)

/** The probe result history of a host: the days as a bar, the two exact lines, the last week as a table. */
export const History = ({ view }: { readonly view: HostView }) => (
  <section id="results">
    <h2>{PARTS.results}</h2>
    <div class="panel">
      <Days view={view} />
      <p class="exact">{summaryLine(view.results)}</p>
      <p class="exact">{latencyLine(view.latency)}</p>
      <p class="small">{[lastDaysLine(view), ...(view.latency === null ? [] : [p95Text(view.latency)])].join(' · ')}</p>
      {view.keptSinceUs !== null && <p class="cut">{keptSinceLine(view.keptSinceUs)}</p>}
    </div>
    <details>
      <summary>The last 7 days in numbers</summary>
      <TableBox name="The last 7 days">
        <table>
          <DaysHead />
          <tbody>
            {lastDays(view).map((day) => (
              <DayRow key={day.day} day={day} />
            ))}
          </tbody>
        </table>
      </TableBox>
    </details>
  </section>
)

const DaysHead = once(() => (
  <>
    <caption>The last 7 days, UTC; mean latency of entries with an HTTP result</caption>
    <thead>
      <tr>
        <th scope="col">Day</th>
        {RESULTS.map((result) => (
          <th key={result} scope="col" class="num">
            {result}
          </th>
        ))}
        <th scope="col" class="num opt">
          mean latency
        </th>
      </tr>
    </thead>
  </>
))

const DayRow = ({ day }: { readonly day: DayView }) => (
  <tr>
    <th scope="row" class="tight">
      {formatDay(day.day)}
    </th>
    {day.results === NO_ENTRIES.results ? (
      <CellsOfNone />
    ) : (
      <Cells results={day.results} meanLatencyMs={day.meanLatencyMs} />
    )}
  </tr>
)

const Cells = ({ results, meanLatencyMs }: Omit<DayView, 'day'>) => (
  <>
    {RESULTS.map((result) => (
      <td key={result} class="num">
        {thousands(results[result])}
      </td>
    ))}
    <td class="num opt">{meanLatencyMs === null ? 'no data' : `${thousands(meanLatencyMs)} ms`}</td>
  </>
)

/** Most hosts have days without an entry. */
const CellsOfNone = once(() => <Cells {...NO_ENTRIES} />)
