import { type ProbeResult, RESULTS, type ResultCounts, summaryLine } from '../../domain/probe.ts'
import { type Day, formatDay } from '../../domain/time/day.ts'
import type { DayView } from '../../views/host/day-view.ts'

/** One column per day, as paths to be coloured: one per class, and the ground that days without an entry show. */
export interface DayBar {
  readonly width: number
  readonly height: number
  readonly paths: readonly { readonly result: ProbeResult | null; readonly d: string }[]
  readonly label: string
}

const CELL = 10
const COLUMN = 9
const HEIGHT = 20
/** A class is known by its height too, not by its colour alone. */
const HEIGHTS: Readonly<Record<ProbeResult, number>> = { '402-correct': 20, answers: 15, failed: 10, unreachable: 5 }
/** What occurred at all can be seen, however rare it was. */
const LEAST = 2

/** The last `length` days up to and with `today`: in each column the classes stand side by side, as wide as their share. */
export function dayBar(days: readonly DayView[], today: Day, length: number): DayBar {
  const first = today - length + 1
  const shown = new Map(
    days.filter(({ day }) => day >= first && day <= today).map(({ day, results }) => [day, results]),
  )
  const drawn: Record<ProbeResult, string> = { answers: '', '402-correct': '', failed: '', unreachable: '' }
  for (let index = 0; index < length; index++) {
    let x = index * CELL
    const results = shown.get(first + index)
    for (const [result, width] of results ? widths(results) : []) {
      drawn[result] += column(x, width, HEIGHTS[result])
      x += width
    }
  }
  const paths = RESULTS.flatMap((result) => (drawn[result] === '' ? [] : [{ result, d: drawn[result] }]))
  const width = length * CELL - (CELL - COLUMN)
  return {
    width,
    height: HEIGHT,
    paths: [{ result: null, d: column(0, width, 1) }, ...paths],
    label: `${length} days to ${formatDay(today)}: ${summaryLine(sumOf([...shown.values()]))}`,
  }
}

const column = (x: number, width: number, height: number): string => `M${x} ${HEIGHT}v-${height}h${width}v${height}z`

/** Whole units that fill a column, by share; the greatest class gives what rounding and the least width take. */
function widths(results: ResultCounts): [ProbeResult, number][] {
  const present = RESULTS.filter((result) => results[result] > 0)
  const total = present.reduce((sum, result) => sum + results[result], 0)
  const parts = present.map((result): [ProbeResult, number] => [
    result,
    Math.max(LEAST, Math.round((results[result] / total) * COLUMN)),
  ])
  const greatest = parts.reduce(
    (best, part) => (results[part[0]] > results[best[0]] ? part : best),
    parts[0] ?? ['answers', 0],
  )
  greatest[1] += COLUMN - parts.reduce((sum, [, width]) => sum + width, 0)
  return parts
}

export const sumOf = (all: readonly ResultCounts[]): ResultCounts => {
  const count = (result: ProbeResult): number => all.reduce((sum, results) => sum + results[result], 0)
  return {
    answers: count('answers'),
    '402-correct': count('402-correct'),
    failed: count('failed'),
    unreachable: count('unreachable'),
  }
}
