import type { Sight } from '../../domain/now/sights.ts'
import { NO_VANTAGE, type Shield } from '../../domain/now/vantage.ts'
import { formatTimestamp, type TimestampUs } from '../../domain/time/timestamp.ts'

/** What one vantage sees of a route, as it travels; `vantage` is null of probers without a name. */
export interface WrittenSight {
  readonly vantage: string | null
  readonly entries: number
  readonly newest: string
  readonly since: string
  readonly http_status: number | null
  readonly shield?: Shield | undefined
}

export const sightOut = ({ vantage, entries, atUs, sinceUs, httpStatus, shield }: Sight): WrittenSight => ({
  vantage: vantage === NO_VANTAGE ? null : vantage,
  entries,
  newest: formatTimestamp(atUs),
  since: formatTimestamp(sinceUs),
  http_status: httpStatus,
  ...(shield === null ? {} : { shield }),
})

type ReadSight = Omit<WrittenSight, 'newest' | 'since'> & {
  readonly newest: TimestampUs
  readonly since: TimestampUs
}

export const sightIn = ({ vantage, entries, newest, since, http_status, shield }: ReadSight): Sight => ({
  vantage: vantage ?? NO_VANTAGE,
  entries,
  atUs: newest,
  sinceUs: since,
  httpStatus: http_status,
  shield: shield ?? null,
})
