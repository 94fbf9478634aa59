import { type ProbeResult, RESULTS, type ResultCounts, summaryLine } from '../../domain/probe.ts'
import { type Day, formatDay } from '../../domain/time/day.ts'
import type { DayView } from '../../views/host/day-view.ts'

/** One column per day, all of one height: what went well below, trouble on top. A day without an entry is a gap. */
export interface DayBar {
  readonly width: number
  readonly height: number
  readonly paths: readonly { readonly result: ProbeResult; readonly d: string }[]
  /** What each day saw, in words, and where it stands. */
  readonly days: readonly { readonly x: number; readonly title: string }[]
  readonly label: string
}

const CELL = 10
export const COLUMN = 9
export const HEIGHT = 20
/** From the foot up: what a reader must not miss is on top. */
const ORDER: readonly ProbeResult[] = ['402-correct', 'answers', 'failed', 'unreachable']
const TROUBLE: ReadonlySet<ProbeResult> = new Set(['failed', 'unreachable'])
/** Trouble can be seen however rare it was, what went well however little is left of it. */
const LEAST_TROUBLE = 5
const LEAST = 2

/** The last `length` days up to and with `today`. */
export function dayBar(days: readonly DayView[], today: Day, length: number): DayBar {
  const first = today - length + 1
  const shown = days.filter(({ day }) => day >= first && day <= today)
  const drawn = new Map<ProbeResult, string>()
  for (const { day, results } of shown) {
    const x = (day - first) * CELL
    let y = HEIGHT
    for (const [result, height] of heights(results)) {
      y -= height
      drawn.set(result, `${drawn.get(result) ?? ''}M${x} ${y}h${COLUMN}v${height}h-${COLUMN}z`)
    }
  }
  return {
    width: length * CELL - (CELL - COLUMN),
    height: HEIGHT,
    paths: ORDER.flatMap((result) => {
      const d = drawn.get(result)
      return d === undefined ? [] : [{ result, d }]
    }),
    days: shown.map(({ day, results }) => ({
      x: (day - first) * CELL,
      title: `${formatDay(day)}: ${summaryLine(results)}`,
    })),
    label: `${length} days to ${formatDay(today)}: ${summaryLine(sumOf(shown.map(({ results }) => results)))}`,
  }
}

/** Whole units that fill a column, by share and never less than that for trouble; the greatest class gives what others take. */
function heights(results: ResultCounts): [ProbeResult, number][] {
  const seen = ORDER.filter((result) => results[result] > 0)
  const [only] = seen
  if (only !== undefined && seen.length === 1) return [[only, HEIGHT]]
  const total = RESULTS.reduce((sum, result) => sum + results[result], 0)
  const parts = seen.map((result): [ProbeResult, number] => {
    const share = (results[result] / total) * HEIGHT
    return [
      result,
      TROUBLE.has(result) ? Math.max(LEAST_TROUBLE, Math.ceil(share)) : Math.max(LEAST, Math.round(share)),
    ]
  })
  const spare = (): number => HEIGHT - parts.reduce((sum, [, height]) => sum + height, 0)
  const byHeight = parts.toSorted((a, b) => Number(TROUBLE.has(a[0])) - Number(TROUBLE.has(b[0])) || b[1] - a[1])
  for (const part of byHeight) {
    const least = TROUBLE.has(part[0]) ? LEAST_TROUBLE : LEAST
    part[1] = Math.max(least, part[1] + spare())
  }
  return parts
}

export function sumOf(all: readonly ResultCounts[]): ResultCounts {
  const sum = { answers: 0, '402-correct': 0, failed: 0, unreachable: 0 }
  for (const results of all) {
    sum.answers += results.answers
    sum['402-correct'] += results['402-correct']
    sum.failed += results.failed
    sum.unreachable += results.unreachable
  }
  return sum
}
