import { thousands } from '../../domain/count.ts'
import type { Day } from '../../domain/time/day.ts'
import type { DayView } from '../../views/host/day-view.ts'

/** The mean latency of each day as one line of steps; it breaks where a day had none. */
export interface LatencySteps {
  readonly width: number
  readonly height: number
  readonly d: string
  readonly label: string
  /** What its foot, its top and its end stand for, for those who see it. */
  readonly scale: string
}

const STEP = 10
const HEIGHT = 40
/** Half of the stroke, so that it is not cut at the edge. */
const EDGE = 2

export function latencySteps(days: readonly DayView[], today: Day, length: number): LatencySteps | null {
  const first = today - length + 1
  const means: { index: number; ms: number }[] = []
  let lowest = Number.POSITIVE_INFINITY
  let highest = 0
  for (const { day, meanLatencyMs } of days) {
    if (meanLatencyMs === null || day < first || day > today) continue
    means.push({ index: day - first, ms: meanLatencyMs })
    lowest = Math.min(lowest, meanLatencyMs)
    highest = Math.max(highest, meanLatencyMs)
  }
  const newest = means.at(-1)
  if (newest === undefined) return null
  const yOf = (ms: number): number => Math.round(HEIGHT - EDGE - (ms / Math.max(1, highest)) * (HEIGHT - 2 * EDGE))
  let d = ''
  let drawnTo = -1
  for (const { index, ms } of means) {
    d += `${index === drawnTo ? `V${yOf(ms)}` : `M${index * STEP} ${yOf(ms)}`}h${STEP}`
    drawnTo = index + 1
  }
  const say = (ms: number): string => `${thousands(ms)} ms`
  return {
    width: length * STEP,
    height: HEIGHT,
    d,
    scale: `Mean latency per day, 0 to ${say(highest)}; lowest ${say(lowest)}, newest ${say(newest.ms)}`,
    label: `Mean latency per day of entries with an HTTP result, ${length} days: lowest ${say(lowest)}, highest ${say(highest)}, newest ${say(newest.ms)}`,
  }
}
