import { classify } from '../domain/probe.ts'
import type { TimestampUs } from '../domain/time/timestamp.ts'
import type { Observed } from '../store/probes/save-probes.ts'
import { earlyLookUs, MOST_EARLY_LOOKS, nextDueUs, RETIRED_INTERVAL_US } from '../store/schedule/due.ts'
import type { DueRoute, EndedTurn, RouteMove } from '../store/schedule/schedule.ts'
import type { Probed } from './probe-route.ts'
import { writeRobots } from './robots-file.ts'
import type { Visited } from './visit.ts'

/** What visits saw, as one batch. */
export const observedBy = (visits: readonly Visited[]): Observed => {
  const probed = visits.flatMap((visited) => visited.probed)
  return {
    probes: probed.map(({ seen }) => seen.entry),
    payees: probed.flatMap(({ seen }) => seen.payees),
    signed: {
      offers: probed.flatMap(({ seen }) => seen.offers),
      readings: visits.flatMap(({ readings }) => readings),
    },
  }
}

/** How visits end their turns. */
export const endedTurnsOf = (visits: readonly Visited[], intervalUs: number): EndedTurn[] =>
  visits.map(({ turn, probed, skipped, notBeforeUs, robots }) => ({
    hostId: turn.hostId,
    vantageId: turn.vantageId,
    lease: turn.lease,
    notBeforeUs,
    robots: writeRobots(robots),
    routes: [
      ...probed.map(({ route, seen }) => moveOf(turn.hostId, route, seen, intervalUs)),
      ...skipped.map(({ route, why }): RouteMove => {
        const at = { hostId: turn.hostId, routeId: route.routeId }
        const dueUs = nextDueUs(at, notBeforeUs, intervalOf(route, intervalUs))
        const isNever = why === 'not_probeable'
        return { routeId: route.routeId, dueUs: isNever ? null : dueUs, probedUs: null, result: null, earlyLooks: 0 }
      }),
    ],
  }))

const intervalOf = ({ isRetired }: DueRoute, usualUs: number): number =>
  isRetired ? Math.max(usualUs, RETIRED_INTERVAL_US) : usualUs

function moveOf(hostId: number, route: DueRoute, { entry }: Probed, usualUs: number): RouteMove {
  const result = classify(entry.httpStatus)
  const intervalUs = intervalOf(route, usualUs)
  const isChanged = !route.isRetired && route.lastResult !== null && route.lastResult !== result
  const isEarly = isChanged && route.earlyLooks < MOST_EARLY_LOOKS
  const next = isEarly ? earlyLookUs : nextDueUs
  const dueUs: TimestampUs = next({ hostId, routeId: route.routeId }, entry.atUs, intervalUs)
  const earlyLooks = isEarly ? route.earlyLooks + 1 : 0
  return { routeId: route.routeId, dueUs, probedUs: entry.atUs, result, earlyLooks }
}
