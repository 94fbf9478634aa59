import type { TimestampUs } from './time/timestamp.ts'

export const SWEEP_STATUSES = ['complete', 'partial', 'collapsed', 'failed'] as const
/**
 * `complete`: paged to the end. `partial`: something was read, not all. `collapsed`: paged to the end of under a tenth
 * of the items or rows of the last complete sweep, which is reported and not believed. `failed`: nothing was read.
 */
export type SweepStatus = (typeof SWEEP_STATUSES)[number]

/** The last raw page that failed, cut to a bounded length, for study. */
export interface FailedPage {
  readonly url: string
  readonly atUs: TimestampUs
  readonly error: string
  readonly status: number | null
  readonly body: string
}
