import type { Challenge, Listed } from '../../domain/challenge.ts'
import type { SellerHost } from '../../domain/host.ts'
import { type Now, resultOf } from '../../domain/now/now.ts'
import { nowOf as seenNow } from '../../domain/now/now-of.ts'
import type { ProbeResult } from '../../domain/probe.ts'
import { addressOf, type Method } from '../../domain/route.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { HostNowRow, NowColumns } from '../../store/pages/host-now.ts'
import { runIn } from '../../store/probes/runs.ts'
import { sightsIn } from '../../store/probes/sight-rows.ts'
import type { HostCounters } from '../../store/schema.ts'
import { readJson } from '../../store/sql/json.ts'

/** Of a host: what is true of its worst route that a source names. */
export interface HostNow extends Now {
  readonly method: Method
  readonly address: string
  /** Routes whose newest results are of the same class, that one included. */
  readonly routes: number
  /** Routes that were probed and that a source names. */
  readonly of: number
}

/** The newest live challenge of a route. */
export interface LiveChallenge {
  readonly challenge: Challenge
  readonly atUs: TimestampUs
}

/** How what a host's routes ask for compares with what is listed. */
export interface PriceCheck {
  readonly verified: number
  readonly differs: number
  /** What one of those that differ asks for. */
  readonly asks: Challenge | null
  /** What is listed of that one. */
  readonly listed?: Listed | null
}

export const liveOf = (row: NowColumns): LiveChallenge | null => {
  const challenge = readJson(row.live)
  return challenge === null || row.challenge_us === null ? null : { challenge, atUs: row.challenge_us }
}

/** `null`: never probed, or nothing is known of entries that are no longer kept. */
export function nowOf(row: NowColumns & Listed, live: LiveChallenge | null = liveOf(row)): Now | null {
  const run = runIn(row)
  const newestUs = row.newest_probe_us
  return run === null || newestUs === null ? null : seenNow({ run, newestUs, sights: sightsIn(row.sights), live }, row)
}

export function hostNowOf(host: SellerHost, row: HostNowRow | null, counters: HostCounters): HostNow | null {
  const now = row && nowOf(row)
  if (row === null || now === null) return null
  const by: Readonly<Record<ProbeResult, number>> = {
    answers: counters.now_answers,
    '402-correct': counters.now_402,
    failed: counters.now_failed,
    unreachable: counters.now_unreachable,
  }
  return {
    method: row.method,
    address: addressOf(row.scheme, host, row.path),
    routes: by[resultOf(now)],
    of: Object.values(by).reduce((sum, n) => sum + n, 0),
    ...now,
  }
}

export function priceCheckOf(counters: HostCounters, differing: HostNowRow | null): PriceCheck {
  return {
    verified: counters.routes_verified,
    differs: counters.routes_differs,
    asks: (differing && liveOf(differing))?.challenge ?? null,
    listed: differing && { rail: differing.rail, network: differing.network, price: differing.price },
  }
}
