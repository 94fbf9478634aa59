import type { DayView } from '../views/host/day-view.ts'
import type { HostView } from '../views/host/host-view.ts'

const LISTED_DAYS = 7
/** Of a day without an entry. */
export const NO_ENTRIES = { results: { answers: 0, '402-correct': 0, failed: 0, unreachable: 0 }, meanLatencyMs: null }

/** The last seven days, newest first, those without an entry too. */
export function lastDays({ days, today }: Pick<HostView, 'days' | 'today'>): readonly DayView[] {
  const known = new Map(days.filter(({ day }) => day > today - LISTED_DAYS).map((one) => [one.day, one]))
  return Array.from({ length: LISTED_DAYS }, (_, ago) => known.get(today - ago) ?? { day: today - ago, ...NO_ENTRIES })
}
