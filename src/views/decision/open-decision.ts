import type { SellerHost } from '../../domain/host.ts'
import { type LatencySummary, medianOf, middleRanks } from '../../domain/latency.ts'
import { classify, type ProbeResult, type ResultCounts } from '../../domain/probe.ts'
import { LEVELS } from '../../domain/review.ts'
import type { RouteKey } from '../../domain/route.ts'
import { DAY_US } from '../../domain/time/day.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { findRoute } from '../../store/hosts/find-route.ts'
import {
  type EntryCount,
  type PayeeRow,
  type RatingCount,
  readEntryCounts,
  readPayees,
  readRatingCounts,
} from '../../store/pages/read-decision.ts'
import { NO_STATUS } from '../../store/probes/probes.ts'
import type { Store } from '../../store/store.ts'
import { routePageOf } from '../route/open-route.ts'
import {
  type DecisionView,
  type DecisionWindow,
  type SeenPayee,
  WINDOW_DAYS,
  type WindowName,
} from './decision-view.ts'

/** Entries that are looked through for the newest live challenge. */
const ENTRIES_READ = 50
const PAYEES_SHOWN = 10

const NAMES: readonly WindowName[] = ['24 h', '7 d', '30 d']

/** `undefined`: no source has named the route, nor a template of it. */
export async function decisionOf(
  store: Store,
  host: SellerHost,
  hostId: number,
  asked: RouteKey,
  nowUs: TimestampUs,
): Promise<DecisionView | undefined> {
  const found = await findRoute(store.read, hostId, asked)
  if (found === undefined) return undefined
  const page = await routePageOf(store, host, hostId, found, { limit: ENTRIES_READ, cursor: null })
  if (page === undefined) return undefined
  const at = { hostId, routeId: found.routeId }
  // The longest window first: the counts of the others are read along with it.
  const since = NAMES.map((name) => nowUs - WINDOW_DAYS[name] * DAY_US)
  const [entries, ratings, payees] = await Promise.all([
    readEntryCounts(store.read, at, since.toReversed()),
    readRatingCounts(store.read, at),
    readPayees(store.read, at),
  ])
  return {
    host,
    asked,
    route: page.route,
    windows: NAMES.map((name, index) => windowOf(name, since[index] ?? nowUs, entries, NAMES.length - 1 - index)),
    reviews: { byLevel: LEVELS.map((level) => ratingsOf(level, ratings.counted)), excluded: ratings.excluded },
    payees: payees.slice(0, PAYEES_SHOWN).map(payeeOf),
    payeesTotal: payees.length,
  }
}

function windowOf(
  name: WindowName,
  sinceUs: TimestampUs,
  entries: readonly EntryCount[],
  column: number,
): DecisionWindow {
  const results: Record<ProbeResult, number> = { answers: 0, '402-correct': 0, failed: 0, unreachable: 0 }
  const within = entries.flatMap(({ status, latencyMs, counts }) => {
    const n = counts[column] ?? 0
    results[classify(status === NO_STATUS ? null : status)] += n
    return n === 0 ? [] : [{ latencyMs, n }]
  })
  return { name, sinceUs, results: results satisfies ResultCounts, latency: latencyOf(within) }
}

/** Exact: `within` is in the order of latencies. */
function latencyOf(within: readonly { readonly latencyMs: number; readonly n: number }[]): LatencySummary | null {
  const [first, last] = [within[0], within.at(-1)]
  if (first === undefined || last === undefined) return null
  const samples = within.reduce((sum, { n }) => sum + n, 0)
  const atRank = (rank: number): number => {
    let before = 0
    for (const { latencyMs, n } of within) {
      before += n
      if (before >= rank) return latencyMs
    }
    return last.latencyMs
  }
  const [low, high] = middleRanks(samples)
  return { samples, minMs: first.latencyMs, medianMs: medianOf(atRank(low), atRank(high)), maxMs: last.latencyMs }
}

const ratingsOf = (level: (typeof LEVELS)[number], counted: readonly RatingCount[]) => ({
  level,
  ratings: [1, 2, 3, 4, 5].map((rating) =>
    counted.filter((row) => row.level === level && row.rating === rating).reduce((sum, row) => sum + row.n, 0),
  ),
})

const payeeOf = (row: PayeeRow): SeenPayee => ({
  network: row.network === '' ? null : row.network,
  payee: row.payee,
  asset: row.asset === '' ? null : row.asset,
  origin: row.origin,
  firstUs: row.first_us,
  lastUs: row.last_us,
})
