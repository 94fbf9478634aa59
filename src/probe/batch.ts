import { classify } from '../domain/probe.ts'
import type { TimestampUs } from '../domain/time/timestamp.ts'
import type { Observed } from '../store/probes/save-probes.ts'
import { earlyLookUs, MOST_EARLY_LOOKS, nextDueUs } from '../store/schedule/due.ts'
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
  }
}

/** How visits end their turns. */
export const endedTurnsOf = (visits: readonly Visited[], intervalUs: number): EndedTurn[] =>
  visits.map(({ turn, probed, skipped, notBeforeUs, robots }) => ({
    hostId: turn.hostId,
    lease: turn.lease,
    notBeforeUs,
    robots: writeRobots(robots),
    routes: [
      ...probed.map(({ route, seen }) => moveOf(turn.hostId, route, seen, intervalUs)),
      ...skipped.map(({ route, why }): RouteMove => {
        const dueUs = nextDueUs({ hostId: turn.hostId, routeId: route.routeId }, notBeforeUs, intervalUs)
        const isNever = why === 'not_probeable'
        return { routeId: route.routeId, dueUs: isNever ? null : dueUs, probedUs: null, result: null, earlyLooks: 0 }
      }),
    ],
  }))

function moveOf(hostId: number, route: DueRoute, { entry }: Probed, intervalUs: number): RouteMove {
  const result = classify(entry.httpStatus)
  const isChanged = route.lastResult !== null && route.lastResult !== result
  const isEarly = isChanged && route.earlyLooks < MOST_EARLY_LOOKS
  const next = isEarly ? earlyLookUs : nextDueUs
  const dueUs: TimestampUs = next({ hostId, routeId: route.routeId }, entry.atUs, intervalUs)
  const earlyLooks = isEarly ? route.earlyLooks + 1 : 0
  return { routeId: route.routeId, dueUs, probedUs: entry.atUs, result, earlyLooks }
}
