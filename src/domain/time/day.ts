export const DAY_US = 86_400_000_000

/** A whole UTC day, counted from 1970-01-01. */
export type Day = number

/** Of a `TimestampUs`. */
export const dayOf = (us: number): Day => Math.floor(us / DAY_US)

/** Pages print thousands of times of few days. */
const printed = new Map<Day, string>()
const MOST_PRINTED = 1000

/** `2026-11-14` */
export function formatDay(day: Day): string {
  const known = printed.get(day)
  if (known !== undefined) return known
  if (printed.size >= MOST_PRINTED) printed.clear()
  const text = new Date((day * DAY_US) / 1000).toISOString().slice(0, 10)
  printed.set(day, text)
  return text
}
