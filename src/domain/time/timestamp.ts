import { DAY_US, dayOf, formatDay } from './day.ts'

/**
 * Whole microseconds since 1970-01-01T00:00:00Z. A safe integer until the year 2255, so times up to the end of
 * 2199 are taken and nothing is ever rounded.
 */
export type TimestampUs = number

const FORM = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,6}))?Z$/
const SECOND_US = 1_000_000
/** As far apart as the clocks of two machines may be, and as long as signatures count: within it, evidence is dated well enough. */
export const CLOCKS_DIFFER_US = 600_000_000
export const LATEST_US: TimestampUs = Date.UTC(2200, 0, 1) * 1000 - 1

/** `2026-11-14T12:34:56.123456Z` */
export function formatTimestamp(us: TimestampUs): string {
  const day = dayOf(us)
  const microseconds = us - day * DAY_US
  const seconds = Math.floor(microseconds / SECOND_US)
  const minutes = Math.floor(seconds / 60)
  const time = `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`
  return `${formatDay(day)}T${time}.${String(microseconds - seconds * SECOND_US).padStart(6, '0')}Z`
}

const twoDigits = (n: number): string => (n < 10 ? `0${n}` : String(n))

/** UTC to the minute: `2026-11-14 12:34` */
export const formatMinute = (us: TimestampUs): string => formatTimestamp(us).slice(0, 16).replace('T', ' ')

/** ISO 8601 UTC with up to six fractional digits; `undefined` for anything else, 30 February too. */
export function parseTimestamp(text: string): TimestampUs | undefined {
  const match = FORM.exec(text)
  if (!match) return undefined
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const [hours, minutes, seconds] = [Number(match[4]), Number(match[5]), Number(match[6])]
  if (year < 1970 || hours > 23 || minutes > 59 || seconds > 59) return undefined
  const date = new Date(Date.UTC(year, month - 1, day, hours, minutes, seconds))
  // Impossible dates roll over.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  const us = date.getTime() * 1000 + Number((match[7] ?? '').padEnd(6, '0'))
  return us <= LATEST_US ? us : undefined
}
