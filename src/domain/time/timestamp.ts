import { DAY_US, dayOf, formatDay } from './day.ts'

/**
 * Whole microseconds since 1970-01-01T00:00:00Z. A safe integer until the year 2255, so times up to the end of
 * 2199 are taken and nothing is ever rounded.
 */
export type TimestampUs = number

const FORM = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?Z$/
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

/** Files of records hold hundreds of thousands of times of few days. */
const read = new Map<string, TimestampUs | undefined>()
const MOST_READ = 1000

/** Where a day begins, of its ten characters; `undefined`: there is no such day. */
function dayStart(text: string): TimestampUs | undefined {
  if (read.has(text)) return read.get(text)
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))]
  const date = new Date(Date.UTC(year, month - 1, day))
  // Impossible dates roll over.
  const isReal = year >= 1970 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  const us = isReal ? date.getTime() * 1000 : undefined
  if (read.size >= MOST_READ) read.clear()
  read.set(text, us)
  return us
}

const ZERO = 48
const twoDigits = (text: string, at: number): number =>
  (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO

const AFTER_SECONDS = 20

/** ISO 8601 UTC with up to six fractional digits; `undefined` for anything else, 30 February too. */
export function parseTimestamp(text: string): TimestampUs | undefined {
  if (!FORM.test(text)) return undefined
  const day = dayStart(text.slice(0, 10))
  if (day === undefined) return undefined
  let fraction = 0
  for (let at = AFTER_SECONDS, unit = SECOND_US / 10; at < text.length - 1; at++, unit /= 10) {
    fraction += (text.charCodeAt(at) - ZERO) * unit
  }
  const minutes = twoDigits(text, 11) * 60 + twoDigits(text, 14)
  const us = day + minutes * MINUTE_US + twoDigits(text, 17) * SECOND_US + fraction
  return us <= LATEST_US ? us : undefined
}
