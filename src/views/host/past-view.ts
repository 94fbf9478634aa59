import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Past } from '../../store/pages/host-now.ts'
import type { HostCounters } from '../../store/schema.ts'
import type { HostNow } from './now-view.ts'

/** Of a host that was probed and of which nothing is true now: what became of what was probed. */
export interface PastView {
  readonly became: Past
  /** When it was looked at last. */
  readonly checkedUs: TimestampUs
}

/** `null` where it has a now, or was never probed. */
export const pastViewOf = (now: HostNow | null, past: Past | null, counters: HostCounters): PastView | null =>
  now !== null || counters.newest_probe_us === null
    ? null
    : { became: past ?? 'unkept', checkedUs: counters.newest_probe_us }
