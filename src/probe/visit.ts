import type { Method } from '../domain/route.ts'
import type { TimestampUs } from '../domain/timestamp.ts'
import type { DueRoute, Turn } from '../store/schedule.ts'
import type { Egress } from './egress.ts'
import { isProbeable, type Probed, type ProbeLimits, probeRoute } from './one.ts'
import { isOptedOut, type Manners, pauseAsked, Spacing } from './politeness.ts'
import { isAllowed } from './robots.ts'
import { isFresh, type KnownRobots, readRobots, refreshRobots } from './robots-file.ts'
import { unlessStopped } from './wait.ts'

export interface VisitDoors {
  readonly egress: Egress
  readonly nowUs: () => TimestampUs
  /** Told of every probe as soon as it is over, before it is saved. */
  readonly onProbe: (seen: Probed) => void
}

export interface VisitRules {
  readonly manners: Manners
  readonly methods: readonly Method[]
  readonly limits: ProbeLimits
  readonly intervalMs: number
}

/** Why a due route was not called. */
export type Skip = 'not_probeable' | 'robots' | 'opted_out'

/** What came of one host's turn. */
export interface Visited {
  readonly turn: Turn
  readonly probed: readonly { readonly route: DueRoute; readonly seen: Probed }[]
  readonly skipped: readonly { readonly route: DueRoute; readonly why: Skip }[]
  /** Nobody calls the host before this. */
  readonly notBeforeUs: TimestampUs
  readonly robots: KnownRobots
}

/** Left of the lease when the last call of a turn ends: for saving it. */
const SAVING_US = 10_000_000

/**
 * Calls the due routes of one host, one after another. Ends early when the host asks for a pause, when the lease would
 * not hold for another call, or when told to `stop`; `giveUp` also leaves a call that is under way.
 */
export async function visit(
  turn: Turn,
  doors: VisitDoors,
  rules: VisitRules,
  stop: AbortSignal,
  giveUp: AbortSignal,
): Promise<Visited> {
  const { egress, nowUs } = doors
  const { manners, limits, methods } = rules
  const probed: { route: DueRoute; seen: Probed }[] = []
  const skipped: { route: DueRoute; why: Skip }[] = []
  let robots = readRobots(turn.robots)
  let pauseMs = manners.gapMs
  const visited = (): Visited => ({ turn, probed, skipped, notBeforeUs: nowUs() + pauseMs * 1000, robots })
  if (isOptedOut(manners.optOut, turn.host)) {
    for (const route of turn.routes) skipped.push({ route, why: 'opted_out' })
    pauseMs = rules.intervalMs
    return visited()
  }

  const spacing = new Spacing(manners.gapMs, stop)
  const isTimeFor = (calls: number): boolean =>
    !stop.aborted && nowUs() + calls * (limits.deadlineMs + manners.gapMs) * 1000 + SAVING_US <= turn.untilUs

  for (const route of turn.routes) {
    if (!isProbeable(route, methods)) {
      skipped.push({ route, why: 'not_probeable' })
      continue
    }
    if (!isFresh(robots, route.scheme, nowUs())) {
      if (!isTimeFor(2)) break
      const polite = spacing.through(egress)
      const read = refreshRobots(polite, robots, route.scheme, turn.host, nowUs, limits.deadlineMs)
      robots = (await unlessStopped(read, giveUp)) ?? robots
    }
    if (!isAllowed(robots[route.scheme]?.rules ?? [], route.path)) {
      skipped.push({ route, why: 'robots' })
      continue
    }
    await spacing.turn()
    if (!isTimeFor(1)) break
    const { scheme, method, path, rail } = route
    const ref = { host: turn.host, scheme, method, path, rail }
    const seen = await unlessStopped(probeRoute(egress, ref, nowUs, methods, limits), giveUp)
    spacing.done()
    if (seen === null) break
    probed.push({ route, seen })
    doors.onProbe(seen)
    const asked = pauseAsked(seen)
    if (asked !== null) {
      pauseMs = Math.max(pauseMs, asked)
      break
    }
  }
  return visited()
}
