import { thousands } from '../domain/count.ts'
import type { TimestampUs } from '../domain/time/timestamp.ts'
import type { SourceView, SweepView } from '../views/sources/sources-view.ts'
import { minuteText } from './values.ts'

/** What a source's last complete sweep found more or less of than the one before. */
export interface SweepChange {
  readonly againstUs: TimestampUs
  readonly seen: number
  readonly stored: number
  readonly refused: number
}

const refusedIn = ({ refused }: SweepView): number => Object.values(refused).reduce((sum, n) => sum + n, 0)

/** `null` until there were two. */
export function sweepChange({ complete: { last, before } }: SourceView): SweepChange | null {
  if (last === null || before === null) return null
  return {
    againstUs: before.startedUs,
    seen: last.seen - before.seen,
    stored: last.stored - before.stored,
    refused: refusedIn(last) - refusedIn(before),
  }
}

const signed = (n: number): string => (n < 0 ? `−${thousands(-n)}` : `+${thousands(n)}`)

/** `+3 seen, −1 stored against the sweep of 2026-11-14 12:34` */
export function changeLine(change: SweepChange): string {
  const parts = (['seen', 'stored', 'refused'] as const).flatMap((what) =>
    change[what] === 0 ? [] : [`${signed(change[what])} ${what}`],
  )
  const sweep = `the sweep of ${minuteText(change.againstUs)}`
  return parts.length === 0 ? `as many as in ${sweep}` : `${parts.join(', ')} against ${sweep}`
}
