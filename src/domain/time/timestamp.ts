/**
 * Whole microseconds since 1970-01-01T00:00:00Z. A safe integer until the year 2255, so times up to the end of
 * 2199 are taken and nothing is ever rounded.
 */
export type TimestampUs = number

const FORM = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,6}))?Z$/
export const LATEST_US: TimestampUs = Date.UTC(2200, 0, 1) * 1000 - 1

/** `2026-11-14T12:34:56.123456Z` */
export function formatTimestamp(us: TimestampUs): string {
  const ms = Math.floor(us / 1000)
  const microseconds = us - ms * 1000
  return `${new Date(ms).toISOString().slice(0, 23)}${String(microseconds).padStart(3, '0')}Z`
}

/** UTC to the minute: `2026-11-14 12:34` */
export const formatMinute = (us: TimestampUs): string => formatTimestamp(us).slice(0, 16).replace('T', ' ')

/** ISO 8601 UTC with up to six fractional digits; `undefined` for anything else, 30 February too. */
export function parseTimestamp(text: string): TimestampUs | undefined {
  const match = FORM.exec(text)
  if (!match) return undefined
  const ms = Date.parse(`${text.slice(0, 19)}Z`)
  // Date.parse rolls some impossible dates over: only what prints back the same is a date.
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 19) !== text.slice(0, 19)) return undefined
  const us = ms * 1000 + Number((match[7] ?? '').padEnd(6, '0'))
  return us >= 0 && us <= LATEST_US ? us : undefined
}
