import { DAY_US } from '../../domain/time/day.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { LONGEST_PAUSE_MS } from '../../wire/retry-after.ts'
import type { RouteId } from '../hosts/route-ref.ts'

const MINUTE_US = 60_000_000
/** After a route's class changed it is looked at again this soon at the earliest and at the latest. */
const SOONEST_LOOK_US = 5 * MINUTE_US
const LATEST_LOOK_US = 15 * MINUTE_US
/** How often in a row a changing route is looked at early; a flapping one then waits its turn. */
export const MOST_EARLY_LOOKS = 2

/**
 * A route's own moment within every interval, from its keys. Keys are hashes, so a million routes, and the routes of
 * one host, spread evenly; every process computes the same.
 */
export const phaseUs = ({ hostId, routeId }: RouteId, intervalUs: number): number =>
  ((hostId % intervalUs) + (routeId % intervalUs)) % intervalUs

/** The route's next own moment that is at least half an interval after `atUs`: late probes fall back into step. */
export function nextDueUs(route: RouteId, atUs: TimestampUs, intervalUs: number): TimestampUs {
  const from = atUs + Math.floor(intervalUs / 2)
  const behind = (from - phaseUs(route, intervalUs)) % intervalUs
  return from + (behind === 0 ? 0 : intervalUs - behind)
}

/** When a route whose class just changed is looked at again: within a quarter of an hour, and never later than otherwise. */
export function earlyLookUs(route: RouteId, atUs: TimestampUs, intervalUs: number): TimestampUs {
  const look = atUs + SOONEST_LOOK_US + phaseUs(route, LATEST_LOOK_US - SOONEST_LOOK_US)
  return Math.min(look, nextDueUs(route, atUs, intervalUs))
}

/** What its seller retired is looked at so often, whatever it answers. */
export const RETIRED_INTERVAL_US = 7 * DAY_US

/** The latest that a probe which ended now would leave of a host's turn and of its routes, with room for clocks that differ. */
export function latestUs(
  nowUs: TimestampUs,
  intervalUs: number,
): { readonly notBefore: TimestampUs; readonly due: TimestampUs; readonly retiredDue: TimestampUs } {
  const notBefore = nowUs + Math.max(LONGEST_PAUSE_MS * 1000, intervalUs) + 60 * MINUTE_US
  const due = (everyUs: number): TimestampUs => notBefore + Math.ceil(1.5 * everyUs)
  return { notBefore, due: due(intervalUs), retiredDue: due(Math.max(intervalUs, RETIRED_INTERVAL_US)) }
}
