import type { TimestampUs } from './timestamp.ts'

export const DAY_US = 86_400_000_000

/** A whole UTC day, counted from 1970-01-01. */
export type Day = number

export const dayOf = (us: TimestampUs): Day => Math.floor(us / DAY_US)

/** `2026-11-14` */
export const formatDay = (day: Day): string => new Date((day * DAY_US) / 1000).toISOString().slice(0, 10)
