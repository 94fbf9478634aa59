import { type RawBuilder, sql } from 'kysely'
import type { SeenChallenge } from '../../domain/money/asked-prices.ts'
import type { Method, Rail, Scheme } from '../../domain/route.ts'
import type { Day } from '../../domain/time/day.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { DAY_COLUMNS, type DayRow, daysIn, routeDaysSince } from '../hosts/days.ts'
import type { FoundRoute } from '../hosts/find-route.ts'
import { KEPT_SINCE } from '../probes/retention.ts'
import type { JsonText } from '../schema.ts'
import type { Dialect } from '../sql/dialect.ts'
import { readJson } from '../sql/json.ts'
import type { JsonRows } from '../sql/json-rows.ts'
import type { StorePart } from '../sql/parts.ts'
import { RememberedStatement } from '../sql/remembered.ts'
import { challengesIn, challengesOf } from './read-challenges.ts'
import {
  type CountedTimes,
  challengeDaysOf,
  type EntryCount,
  entryCountsIn,
  entryCountsOf,
  type PayeeRow,
  payeesIn,
  payeesOf,
  payeesTotalOf,
  type RatingCount,
  ratingCountsIn,
  ratingCountsOf,
} from './read-decision.ts'
import { ON_A_ROUTE_PAGE, type RouteRow, routeList, routesIn } from './read-routes.ts'

/** One route with more of its evidence than a list of routes has. */
export interface RouteRead {
  readonly route: RouteRow
  readonly counts: readonly EntryCount[]
  /** Newest first. */
  readonly payees: readonly PayeeRow[]
  readonly payeesTotal: number
  /** Somebody proved to speak for its host. */
  readonly isClaimed: boolean
}

export interface RoutePageRead extends RouteRead {
  readonly days: readonly DayRow[]
  /** That live answers of these days carried. */
  readonly challenges: readonly SeenChallenge[]
  readonly keptSinceUs: TimestampUs | null
}

export interface DecisionRead extends RouteRead {
  readonly ratings: readonly RatingCount[]
  readonly challengeDays: readonly Day[]
}

/** A listed route of which so many of its newest entries are wanted. */
export interface RouteWanted {
  readonly hostId: number
  readonly found: FoundRoute
  readonly entries: number
  readonly times: CountedTimes
}

interface RouteAnswer {
  readonly routes: JsonRows<RouteRow>
  readonly counts: JsonRows<EntryCount>
  readonly payees: JsonRows<PayeeRow>
  readonly payees_total: number
  readonly is_claimed: number | null
}

const LIKE = {
  ...{ hostId: 0, routeId: 0, entries: 0, latest: 0, middle: 0, earliest: 0, upto: 0 },
  ...{ scheme: 'https' as Scheme, method: 'GET' as Method, path: '', rail: 'x402' as Rail },
}
type Values = typeof LIKE

const valuesOf = ({ hostId, found, entries, times }: RouteWanted): Values => ({
  ...{ hostId, entries, routeId: found.routeId },
  ...{ latest: times.latest, middle: times.middle, earliest: times.earliest, upto: times.upto },
  ...{ scheme: found.scheme, method: found.method, path: found.path, rail: found.rail },
})

function routeFields(dialect: Dialect, values: Values): RawBuilder<unknown> {
  const { hostId, entries, scheme, method, path, rail } = values
  const most = { ...ON_A_ROUTE_PAGE, probes: entries }
  const routes = routeList({ dialect }, hostId, { after: null, limit: 1, only: { scheme, method, path, rail }, most })
  return sql`${routes} as routes,
    ${entryCountsOf(dialect, values, values)} as counts, ${payeesOf(dialect, values)} as payees,
    ${payeesTotalOf(values)} as payees_total, (select 1 from claims as k where k.host_id = ${hostId} limit 1) as is_claimed`
}

function routeIn(row: RouteAnswer | undefined): RouteRead | undefined {
  const route = row && routesIn(row.routes)[0]
  return (
    route && {
      route,
      counts: entryCountsIn(row.counts),
      payees: payeesIn(row.payees),
      payeesTotal: row.payees_total,
      isClaimed: row.is_claimed !== null,
    }
  )
}

interface RoutePageAnswer extends RouteAnswer {
  readonly days: JsonRows<DayRow>
  readonly challenges: Parameters<typeof challengesIn>[0]
  readonly kept_since_us: number | null
}

const ROUTE_PAGE = new RememberedStatement({ ...LIKE, sinceDayUs: 0 }, (dialect, values) => {
  const days = dialect.jsonRows(DAY_COLUMNS, routeDaysSince(values, values.sinceDayUs))
  const challenges = challengesOf(dialect, values, { since: values.sinceDayUs, upto: values.upto })
  return sql<RoutePageAnswer>`select ${routeFields(dialect, values)}, ${days} as days,
    ${challenges} as challenges, (${KEPT_SINCE}) as kept_since_us`
})

/** Everything that a route's page shows, of one moment, in one statement. Costs the same however long its history is. */
export async function readRoutePage(
  part: StorePart,
  wanted: RouteWanted,
  sinceDayUs: TimestampUs,
): Promise<RoutePageRead | undefined> {
  const [row] = await ROUTE_PAGE.run(part, { sinceDayUs, ...valuesOf(wanted) })
  const read = routeIn(row)
  if (row === undefined || read === undefined) return undefined
  return {
    days: daysIn(row.days),
    challenges: challengesIn(row.challenges),
    keptSinceUs: row.kept_since_us,
    ...read,
  }
}

interface DecisionAnswer extends RouteAnswer {
  readonly ratings: JsonRows<RatingCount>
  readonly challenge_days: JsonText<Day[]>
}

const DECISION = new RememberedStatement({ ...LIKE, challengesSinceUs: 0 }, (dialect, values) => {
  const days = challengeDaysOf(dialect, values, values.challengesSinceUs)
  return sql<DecisionAnswer>`select ${routeFields(dialect, values)}, ${ratingCountsOf(dialect, values)} as ratings,
    ${days} as challenge_days`
})

/** Everything that a decision is made of. */
export async function readDecision(
  part: StorePart,
  wanted: RouteWanted,
  challengesSinceUs: TimestampUs,
): Promise<DecisionRead | undefined> {
  const [row] = await DECISION.run(part, { challengesSinceUs, ...valuesOf(wanted) })
  const read = routeIn(row)
  return row && read && { ratings: ratingCountsIn(row.ratings), challengeDays: readJson(row.challenge_days), ...read }
}
