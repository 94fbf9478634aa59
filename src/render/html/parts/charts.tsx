import type { ProbeResult } from '../../../domain/probe.ts'
import type { Day } from '../../../domain/time/day.ts'
import type { DayView } from '../../../views/host/day-view.ts'
import { dayBar } from '../../svg/day-bar.ts'
import { latencySteps } from '../../svg/latency-steps.ts'
import type { PriceSteps } from '../../svg/price-steps.ts'

/** The colour class of each result; the word itself always stands beside the colour. */
export const RESULT_CLASS: Readonly<Record<ProbeResult, string>> = {
  answers: 'ok',
  '402-correct': 'due',
  failed: 'bad',
  unreachable: 'off',
}

interface DaysProps {
  readonly days: readonly DayView[]
  readonly today: Day
  readonly length: number
}

export const DayBars = ({ days, today, length }: DaysProps) => {
  const { width, height, paths, label } = dayBar(days, today, length)
  return (
    <svg class="days" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {paths.map(({ result, d }) => (
        <path key={result} class={result === null ? 'no' : RESULT_CLASS[result]} d={d} />
      ))}
    </svg>
  )
}

export const LatencyLine = ({ days, today, length }: DaysProps) => {
  const steps = latencySteps(days, today, length)
  if (steps === null) return null
  const { width, height, d, label } = steps
  return (
    <svg class="steps" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <path d={d} />
    </svg>
  )
}

/** Sources beyond these share a look; the table beside the chart tells them apart. */
const LOOKS = 4
export const lookOf = (index: number): string => `s${index % LOOKS}`

export const PriceLines = ({ steps, label }: { readonly steps: PriceSteps; readonly label: string }) => (
  <svg
    class="prices"
    viewBox={`0 0 ${steps.width} ${steps.height}`}
    preserveAspectRatio="none"
    role="img"
    aria-label={label}
  >
    {steps.series.map(({ source, d }, index) => (
      <path key={source} class={lookOf(index)} d={d} />
    ))}
  </svg>
)
