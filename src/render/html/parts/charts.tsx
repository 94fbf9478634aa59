import type { ProbeResult } from '../../../domain/probe.ts'
import type { Day } from '../../../domain/time/day.ts'
import type { DayView } from '../../../views/host/day-view.ts'
import { COLUMN, dayBar, dayTitles, HEIGHT } from '../../svg/day-bar.ts'
import { latencySteps } from '../../svg/latency-steps.ts'
import type { PriceSteps } from '../../svg/price-steps.ts'
import { type Html, once } from '../jsx/jsx-runtime.ts'

/** The colour class of each result; the word itself always stands beside the colour. */
export const RESULT_CLASS: Readonly<Record<ProbeResult, string>> = {
  answers: 'ok',
  '402-correct': 'due',
  failed: 'bad',
  unreachable: 'off',
}

/** Trouble is hatched, each class another way: it is not known by colour alone. */
const HATCH: Readonly<Record<ProbeResult, string | undefined>> = {
  answers: undefined,
  '402-correct': undefined,
  failed: 'url(#h-bad)',
  unreachable: 'url(#h-off)',
}

/** What the charts of a page are hatched with; once, before the first of them. */
export const Hatches = once(() => (
  <svg class="hatches" aria-hidden="true" width="0" height="0">
    <pattern id="h-bad" class="bad" width="8" height="8" patternUnits="userSpaceOnUse">
      <path d="M0 0h8v8H0z" />
      <path class="over" d="M-1 9 9-1" />
    </pattern>
    <pattern id="h-off" class="off" width="5" height="5" patternUnits="userSpaceOnUse">
      <path d="M0 0h5v5H0z" />
      <path class="over" d="M0 2.5h5" />
    </pattern>
  </svg>
))

interface DaysProps {
  readonly days: readonly DayView[]
  readonly today: Day
  readonly length: number
  /** Whether each day says what it saw when it is pointed at. */
  readonly isNamed?: boolean
}

/** Lists are made anew again and again, of days that are mostly those of before. */
const drawn = new WeakMap<readonly DayView[], Pick<DaysProps, 'today' | 'length'> & { readonly bars: Html }>()

/** The same of days that are not named, drawn once. */
export function KeptDayBars({ days, today, length }: Omit<DaysProps, 'isNamed'>): Html {
  const kept = drawn.get(days)
  if (kept !== undefined && kept.today === today && kept.length === length) return kept.bars
  const bars = DayBars({ days, today, length })
  drawn.set(days, { today, length, bars })
  return bars
}

export const DayBars = ({ days, today, length, isNamed = false }: DaysProps): Html => {
  const bar = dayBar(days, today, length)
  return (
    <svg
      class="days"
      viewBox={`0 0 ${bar.width} ${bar.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={bar.label}
    >
      {bar.paths.map(({ result, d }) => (
        <path key={result} class={RESULT_CLASS[result]} d={d} fill={HATCH[result]} />
      ))}
      {isNamed &&
        dayTitles(days, today, length).map(({ x, title }) => (
          <path key={x} class="day" d={`M${x} 0h${COLUMN}v${HEIGHT}h-${COLUMN}z`}>
            <title>{title}</title>
          </path>
        ))}
    </svg>
  )
}

export const LatencyLine = ({ days, today, length }: DaysProps) => {
  const steps = latencySteps(days, today, length)
  if (steps === null) return null
  const { width, height, d, label, scale } = steps
  return (
    <>
      <p class="axis">
        <span>{scale}</span>
      </p>
      <svg class="steps" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
        <path d={d} />
      </svg>
    </>
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
