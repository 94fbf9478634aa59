import { thousands } from '../../../domain/count.ts'
import { latencyLine } from '../../../domain/latency.ts'
import { RESULTS, summaryLine } from '../../../domain/probe.ts'
import { formatDay } from '../../../domain/time/day.ts'
import { type DayView, HOST_DAYS } from '../../../views/host/day-view.ts'
import type { HostView } from '../../../views/host/host-view.ts'
import { lastDays } from '../../days.ts'
import { keptSinceLine, PARTS } from '../../words.ts'
import { DayBars, LatencyLine } from './charts.tsx'
import { ResultLegend } from './legend.tsx'

/** The probe result history of a host: the days as a bar, the two exact lines, the last week as a table. */
export const History = ({ view }: { readonly view: HostView }) => (
  <section id="results">
    <h2>{PARTS.results}</h2>
    <div class="panel">
      <DayBars days={view.days} today={view.today} length={HOST_DAYS} />
      <LatencyLine days={view.days} today={view.today} length={HOST_DAYS} />
      <p class="axis">
        <span>{formatDay(view.today - HOST_DAYS + 1)}</span>
        <span>results and mean latency, day by day</span>
        <span>{formatDay(view.today)}</span>
      </p>
      <ResultLegend />
      <p class="exact">{summaryLine(view.results)}</p>
      <p class="exact">{latencyLine(view.latency)}</p>
      {view.keptSinceUs !== null && <p class="cut">{keptSinceLine(view.keptSinceUs)}</p>}
    </div>
    <div class="tablebox">
      <table>
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
        <tbody>
          {lastDays(view).map((day) => (
            <DayRow key={day.day} day={day} />
          ))}
        </tbody>
      </table>
    </div>
  </section>
)

const DayRow = ({ day: { day, results, meanLatencyMs } }: { readonly day: DayView }) => (
  <tr>
    <th scope="row" class="tight">
      {formatDay(day)}
    </th>
    {RESULTS.map((result) => (
      <td key={result} class="num">
        {thousands(results[result])}
      </td>
    ))}
    <td class="num opt">{meanLatencyMs === null ? 'no data' : `${thousands(meanLatencyMs)} ms`}</td>
  </tr>
)
