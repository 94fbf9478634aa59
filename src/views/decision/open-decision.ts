import type { SellerHost } from '../../domain/host.ts'
import { LEVELS } from '../../domain/review.ts'
import type { RouteKey } from '../../domain/route.ts'
import { DAY_US } from '../../domain/time/day.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { findMeantRoute } from '../../store/hosts/find-route.ts'
import type { RatingCount } from '../../store/pages/read-decision.ts'
import { readDecision } from '../../store/pages/read-route-page.ts'
import type { Store } from '../../store/store.ts'
import { seenRouteOf } from '../route/open-route.ts'
import { windowTimes } from '../route/windows.ts'
import type { DecisionView } from './decision-view.ts'
import { knownOf } from './known.ts'

/** The newest; all of them are on the route's page. */
const ENTRIES_SHOWN = 1
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
  const wanted = { hostId, found, entries: ENTRIES_SHOWN, times: windowTimes(nowUs) }
  const read = await readDecision(store, wanted, nowUs - DAYS_READ * DAY_US)
  if (read === undefined) return undefined
  const seen = await seenRouteOf(store, host, hostId, read, nowUs)
  const counted = read.ratings.filter((row) => row.is_excluded === 0)
  const excluded = read.ratings.filter((row) => row.is_excluded === 1)
  return {
    host,
    asked,
    route: seen.route,
    windows: seen.windows,
    reviews: {
      byLevel: LEVELS.map((level) => ratingsOf(level, counted)),
      excluded: excluded.reduce((sum, row) => sum + row.n, 0),
    },
    payees: seen.payees.slice(0, PAYEES_SHOWN),
    payeesTotal: seen.payeesTotal,
    known: knownOf(seen, read.challengeDays),
  }
}

const ratingsOf = (level: (typeof LEVELS)[number], counted: readonly RatingCount[]) => ({
  level,
  ratings: [1, 2, 3, 4, 5].map((rating) =>
    counted.filter((row) => row.level === level && row.rating === rating).reduce((sum, row) => sum + row.n, 0),
  ),
})
