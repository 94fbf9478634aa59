import { DAY_US, dayOf, formatDay } from './day.ts'

/**
 * Whole microseconds since 1970-01-01T00:00:00Z. A safe integer until the year 2255, so times up to the end of
 * 2199 are taken and nothing is ever rounded.
 */
export type TimestampUs = number

const FORM = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,6}))?Z$/
const SECOND_US = 1_000_000
const MINUTE_US = 60 * SECOND_US
/** As far apart as the clocks of two machines may be, and as long as signatures count: within it, evidence is dated well enough. */
export const CLOCKS_DIFFER_US = 600_000_000
export const LATEST_US: TimestampUs = Date.UTC(2200, 0, 1) * 1000 - 1

/** `2026-11-14T12:34:56.123456Z` */
export function formatTimestamp(us: TimestampUs): string {
  const day = dayOf(us)
  const ofDay = us - day * DAY_US
  const second = Math.floor(ofDay / SECOND_US)
  const minute = Math.floor(second / 60)
  const ofSecond = ofDay - second * SECOND_US
  const thousand = Math.floor(ofSecond / 1000)
  return `${formatDay(day)}T${MINUTES[minute]}:${TWO_DIGITS[second - minute * 60]}.${THREE_DIGITS[thousand]}${THREE_DIGITS[ofSecond - thousand * 1000]}Z`
}

/** UTC to the minute: `2026-11-14 12:34` */
export function formatMinute(us: TimestampUs): string {
  const day = dayOf(us)
  return `${formatDay(day)} ${MINUTES[Math.floor((us - day * DAY_US) / MINUTE_US)]}`
}

const digits = (length: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => String(n).padStart(length, '0'))

// Pages print thousands of times: their parts are written once.
const TWO_DIGITS = digits(2, 60)
const THREE_DIGITS = digits(3, 1000)
/** Of a day: `12:34` */
const MINUTES = TWO_DIGITS.slice(0, 24).flatMap((hour) => TWO_DIGITS.map((minute) => `${hour}:${minute}`))

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
