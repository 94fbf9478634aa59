import type { SellerHost } from '../domain/host.ts'
import { type ProbeResult, RESULTS, type ResultCounts } from '../domain/probe.ts'
import type { Day } from '../domain/time/day.ts'
import { findHostId } from '../store/host-id.ts'
import { firstDay, readDays } from '../store/hosts/days.ts'
import { readHostNow } from '../store/pages/host-now.ts'
import type { Store } from '../store/store.ts'
import { type HostNow, hostNowOf } from './host/now-view.ts'
import { type PastView, pastViewOf } from './host/past-view.ts'
import { resultsOf } from './host/rows.ts'

/** What a host's probes saw in a number of UTC days, the last of which is today. */
export interface RecentResults {
  readonly host: SellerHost
  /** Fewer than asked for where the first entry is younger. */
  readonly days: number
  readonly results: ResultCounts
  readonly now: HostNow | null
  /** Where there is no now although it was probed. */
  readonly past?: PastView | null
}

function sumOfResults(counts: readonly ResultCounts[]): ResultCounts {
  const sum: Record<ProbeResult, number> = { answers: 0, '402-correct': 0, failed: 0, unreachable: 0 }
  for (const one of counts) for (const result of RESULTS) sum[result] += one[result]
  return sum
}

export async function recentResultsOf(
  store: Store,
  host: SellerHost,
  days: number,
  today: Day,
): Promise<RecentResults | undefined> {
  const hostId = await findHostId(store.read, host)
  if (hostId === undefined) return undefined
  const [found, first, newest] = await Promise.all([
    readDays(store, [hostId], today - days + 1),
    firstDay(store.read, hostId),
    readHostNow(store, hostId),
  ])
  const results = sumOfResults((found.get(hostId) ?? []).map(resultsOf))
  const covered = Math.min(days, today - (first ?? today) + 1)
  if (newest === null) return { host, days: covered, results, now: null }
  const now = hostNowOf(host, newest.row, newest.counters)
  return { host, days: covered, results, now, past: pastViewOf(now, newest.past, newest.counters) }
}
