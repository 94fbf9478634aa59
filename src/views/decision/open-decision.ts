import type { SellerHost } from '../../domain/host.ts'
import { LEVELS } from '../../domain/review.ts'
import type { RouteKey } from '../../domain/route.ts'
import { DAY_US } from '../../domain/time/day.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { findMeantRoute } from '../../store/hosts/find-route.ts'
import { type RatingCount, readChallengeDays, readRatingCounts } from '../../store/pages/read-decision.ts'
import type { Store } from '../../store/store.ts'
import { routePageOf } from '../route/open-route.ts'
import type { DecisionView } from './decision-view.ts'
import { knownOf } from './known.ts'

/** Entries that are looked through for the newest live challenge. */
const ENTRIES_READ = 50
const PAYEES_SHOWN = 10
/** How far back days with a live challenge are counted. */
const DAYS_READ = 30

/** `undefined`: no source has named the route, nor a template of it. */
export async function decisionOf(
  store: Store,
  host: SellerHost,
  hostId: number,
  asked: RouteKey,
  nowUs: TimestampUs,
): Promise<DecisionView | undefined> {
  const found = await findMeantRoute(store, hostId, asked)
  if (found === undefined) return undefined
  const page = await routePageOf(store, host, hostId, found, { limit: ENTRIES_READ, cursor: null }, nowUs)
  if (page === undefined) return undefined
  const at = { hostId, routeId: found.routeId }
  const [ratings, days] = await Promise.all([
    readRatingCounts(store, at),
    readChallengeDays(store, at, nowUs - DAYS_READ * DAY_US),
  ])
  return {
    host,
    asked,
    route: page.route,
    windows: page.windows,
    reviews: { byLevel: LEVELS.map((level) => ratingsOf(level, ratings.counted)), excluded: ratings.excluded },
    payees: page.payees.slice(0, PAYEES_SHOWN),
    payeesTotal: page.payeesTotal,
    known: knownOf(page, days),
  }
}

const ratingsOf = (level: (typeof LEVELS)[number], counted: readonly RatingCount[]) => ({
  level,
  ratings: [1, 2, 3, 4, 5].map((rating) =>
    counted.filter((row) => row.level === level && row.rating === rating).reduce((sum, row) => sum + row.n, 0),
  ),
})
