import { parseTimestamp, type TimestampUs } from '../domain/time/timestamp.ts'

const FORM = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/
const OLDEST_US = 600_000_000
const AHEAD_US = 120_000_000

/** Exactly `2026-11-14T12:34:56Z`; `undefined` for anything else, 30 February too. */
export const parseSignedAt = (text: string): TimestampUs | undefined =>
  FORM.test(text) ? parseTimestamp(text) : undefined

export const formatSignedAt = (us: TimestampUs): string => `${new Date(us / 1000).toISOString().slice(0, 19)}Z`

/** Why a signing time is refused now, or `undefined`: at most 10 minutes old and 2 minutes ahead. */
export function signedAtFault(text: string, nowUs: TimestampUs): string | undefined {
  const us = parseSignedAt(text)
  if (us === undefined) return 'signed_at is not a UTC time of the form 2026-11-14T12:34:56Z'
  if (us < nowUs - OLDEST_US) return 'signed_at is more than 10 minutes ago'
  return us > nowUs + AHEAD_US ? 'signed_at is more than 2 minutes ahead' : undefined
}

/** Well formed, and too old to be taken for the first time. */
export function isStale(text: string, nowUs: TimestampUs): boolean {
  const us = parseSignedAt(text)
  return us !== undefined && us < nowUs - OLDEST_US
}
