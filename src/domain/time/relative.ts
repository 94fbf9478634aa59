import { DAY_US } from './day.ts'
import type { TimestampUs } from './timestamp.ts'

const MINUTE_US = 60_000_000
const HOUR_US = 60 * MINUTE_US
const MONTH_US = (365.25 / 12) * DAY_US

/** `3 min ago`, `5 h ago`, `2 days ago`, `4 months ago`; what lies ahead is `just now`, since clocks differ. */
export function formatAgo(us: TimestampUs, nowUs: TimestampUs): string {
  const age = nowUs - us
  if (age < MINUTE_US) return 'just now'
  if (age < HOUR_US) return `${Math.floor(age / MINUTE_US)} min ago`
  if (age < 2 * DAY_US) return `${Math.floor(age / HOUR_US)} h ago`
  if (age < 2 * MONTH_US) return `${Math.floor(age / DAY_US)} days ago`
  return `${Math.floor(age / MONTH_US)} months ago`
}

/** How long a page may be shown that says such words of these times: to the minute while one of them is that young. */
export const agoStandsForMs = (times: readonly (TimestampUs | null)[], nowUs: TimestampUs): number =>
  times.some((us) => us !== null && nowUs - us < HOUR_US) ? 60_000 : 3_600_000
