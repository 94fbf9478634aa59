import type { SellerHost } from '../domain/host.ts'
import { type ProbeResult, RESULTS, type ResultCounts } from '../domain/probe.ts'
import type { Day } from '../domain/time/day.ts'
import type { TimestampUs } from '../domain/time/timestamp.ts'
import { readHostNames } from '../store/events/read-events.ts'
import { findHostId } from '../store/host-id.ts'
import { firstDay, readDays } from '../store/hosts/days.ts'
import { readHostNow } from '../store/pages/host-now.ts'
import type { Store } from '../store/store.ts'
import { type HostNow, hostNowOf } from './host/now-view.ts'
import { type PastView, pastViewOf } from './host/past-view.ts'
import { resultsOf } from './host/rows.ts'

/** Hosts that one part aims at: numbers are random, so that a part never reaches the 50,000 that a sitemap may hold. */
const HOSTS_A_PART = 40_000
const HOSTS_A_READ = 1000
/** Numbers of hosts lie below. */
const NUMBERS = 2 ** 53

/** One host of a sitemap. */
export interface CatalogueRow {
  readonly host: SellerHost
  readonly newestEvidenceUs: TimestampUs | null
}

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

export const partsOf = (hosts: number): number => Math.max(1, Math.ceil(hosts / HOSTS_A_PART))

/** The hosts of part `part` of `of` (from 1), a few at a time, however many there are. */
export async function* cataloguePart(store: Store, part: number, of: number): AsyncGenerator<CatalogueRow[]> {
  const below = part === of ? NUMBERS : Math.floor((NUMBERS / of) * part)
  let after = Math.floor((NUMBERS / of) * (part - 1)) - 1
  for (;;) {
    const rows = await readHostNames(store, after, below, HOSTS_A_READ)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows.map((row) => ({ host: row.name, newestEvidenceUs: row.newest_probe_us }))
    after = last.host_id
  }
}
