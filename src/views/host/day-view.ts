import type { ResultCounts } from '../../domain/probe.ts'
import type { Day } from '../../domain/time/day.ts'

/** What one UTC day saw at one host. Days without an entry are not listed. */
export interface DayView {
  readonly day: Day
  readonly results: ResultCounts
  /** Over the entries with an HTTP result; `null` when there was none. */
  readonly meanLatencyMs: number | null
}

/** The days that pages show, up to and with `today`. */
export const HOST_DAYS = 90
export const ROW_DAYS = 30
/** In a chart each day can be told from the next on a small screen. */
export const CHART_DAYS = 60
