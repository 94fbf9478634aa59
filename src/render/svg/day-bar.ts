import { type ProbeResult, RESULTS, type ResultCounts, summaryLine } from '../../domain/probe.ts'
import { type Day, formatDay } from '../../domain/time/day.ts'
import type { DayView } from '../../views/host/day-view.ts'

/** One column per day, all of one height: what went well below, trouble on top. A day without an entry is a gap. */
export interface DayBar {
  readonly width: number
  readonly height: number
  readonly paths: readonly { readonly result: ProbeResult; readonly d: string }[]
  readonly label: string
}

/** What one day saw, in words, and where it stands. */
export interface DayTitle {
  readonly x: number
  readonly title: string
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

const shownOf = (days: readonly DayView[], first: Day, today: Day): readonly DayView[] =>
  days.filter(({ day }) => day >= first && day <= today)

/** The last `length` days up to and with `today`. */
export function dayBar(days: readonly DayView[], today: Day, length: number): DayBar {
  const first = today - length + 1
  const shown = shownOf(days, first, today)
  const drawn = new Map<ProbeResult, string>()
  for (const { day, results } of shown) {
    const x = (day - first) * CELL
    let y = HEIGHT
    for (const { result, height } of heights(results)) {
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
    label: `${length} days to ${formatDay(today)}: ${summaryLine(sumOf(shown.map(({ results }) => results)))}`,
  }
}

/** What each of those days saw. */
export function dayTitles(days: readonly DayView[], today: Day, length: number): readonly DayTitle[] {
  const first = today - length + 1
  return shownOf(days, first, today).map(({ day, results }) => ({
    x: (day - first) * CELL,
    title: `${formatDay(day)}: ${summaryLine(results)}`,
  }))
}

interface Part {
  readonly result: ProbeResult
  height: number
}

/** Whole units that fill a column, by share and never less than that for trouble; the greatest class gives what others take. */
function heights(results: ResultCounts): readonly Part[] {
  const parts: Part[] = []
  const total = RESULTS.reduce((sum, result) => sum + results[result], 0)
  for (const result of ORDER) {
    const n = results[result]
    if (n === 0) continue
    const share = (n / total) * HEIGHT
    const height = TROUBLE.has(result) ? Math.max(LEAST_TROUBLE, Math.ceil(share)) : Math.max(LEAST, Math.round(share))
    parts.push({ result, height })
  }
  // Most days saw one class alone, which fills its column.
  if (parts.length < 2) return parts
  const spare = (): number => HEIGHT - parts.reduce((sum, { height }) => sum + height, 0)
  const byHeight = parts.toSorted(
    (a, b) => Number(TROUBLE.has(a.result)) - Number(TROUBLE.has(b.result)) || b.height - a.height,
  )
  for (const part of byHeight) {
    const least = TROUBLE.has(part.result) ? LEAST_TROUBLE : LEAST
    part.height = Math.max(least, part.height + spare())
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
