import type { Challenge, Listed } from '../../domain/challenge.ts'
import { thousands } from '../../domain/count.ts'
import type { LatencySummary } from '../../domain/latency.ts'
import { type Now, nowLine, resultOf } from '../../domain/now/now.ts'
import { blockedLine, sightsLine } from '../../domain/now/sights-line.ts'
import { RESULTS, type ResultCounts } from '../../domain/probe.ts'
import { isTemplate } from '../../domain/route.ts'
import { formatMinute } from '../../domain/time/timestamp.ts'
import { ROW_DAYS } from '../../views/host/day-view.ts'
import type { HostView, RouteView } from '../../views/host/host-view.ts'
import type { HostNow, PriceCheck } from '../../views/host/now-view.ts'
import type { PastView } from '../../views/host/past-view.ts'
import { asksWords } from '../observed.ts'
import { sumOf } from '../svg/day-bar.ts'
import { counted } from '../values.ts'
import { percentText } from './percent.ts'

export const NEVER_PROBED = 'Never probed'

/** With why, where that can be said. */
export const neverProbed = (why: string | undefined): string =>
  why === undefined ? NEVER_PROBED : `${NEVER_PROBED}: ${why}`

/** Why a route has no entry, as far as it follows from its address; `undefined` where it has one. */
export function whyUnprobed({ probesTotal, path, method }: RouteView): string | undefined {
  if (probesTotal > 0) return undefined
  if (isTemplate(path)) return 'the path has a parameter, and nobody knows what to put there.'
  return method === 'GET'
    ? 'its turn has not come yet.'
    : `its turn has not come yet, or this directory does not send ${method}.`
}

/** The same of a host that was never probed. A path with a parameter never has its turn. */
export const whyHostUnprobed = ({ routes, counters }: HostView): string =>
  routes.length > 0 && routes.length === counters.routes && routes.every(({ path }) => isTemplate(path))
    ? 'as it is listed it cannot be, since every path has a parameter and nobody knows what to put there.'
    : 'no route of it has had its turn.'

const PAST_WORDS: Readonly<Record<PastView['became'], string>> = {
  retired: 'Its seller retired what was probed',
  unlisted: 'No source names any more what was probed',
  both: 'What was probed is retired or no longer named by any source',
  unkept: 'Nothing is kept of what it answered',
}

/** The same in few words, for a row of a list. */
export const PAST_MARKS: Readonly<Record<PastView['became'], string>> = {
  retired: 'retired by its seller',
  unlisted: 'no longer listed',
  both: 'retired or no longer listed',
  unkept: 'no entry kept',
}

/** `Its seller retired what was probed; last looked at 2026-11-14 12:34` */
export const pastLine = ({ became, checkedUs }: PastView): string =>
  `${PAST_WORDS[became]}; last looked at ${formatMinute(checkedUs)}`

/** What is true of a host now, or else what was. */
export function nowOrPast({ now, past = null }: Pick<HostView, 'now' | 'past'>): string {
  if (now !== null) return hostNowLine(now)
  return past === null ? NEVER_PROBED : pastLine(past)
}

export const BY_VANTAGE = 'By vantage'

/** What stands beside what is true now, where there is such a thing. */
export interface PlaceWords {
  /** `Blocked, not dead: …` */
  readonly blocked: string | null
  /** `requested payment from eu-1; refused from ap-1 since …`, said after `By vantage: `. */
  readonly seen: string | null
}

export const placeWords = ({ httpStatus, shield = null, sights = [] }: Now): PlaceWords => ({
  blocked: blockedLine({ httpStatus, shield }),
  seen: sightsLine(sights) || null,
})

/** The same as lines. */
export function placeLines(now: Now): string[] {
  const { blocked, seen } = placeWords(now)
  return [...(blocked === null ? [] : [blocked]), ...(seen === null ? [] : [`${BY_VANTAGE}: ${seen}`])]
}

/** `2 of 5 routes`: how many share what is said of the worst; `null` where there is one. */
export const sharedBy = ({ routes, of }: HostNow): string | null => (of > 1 ? `${routes} of ${of} routes` : null)

/** What is said of a host: where several routes were probed, what one of them asks for is not what all do. */
export const nowOfAll = (now: HostNow): HostNow => (now.of > 1 ? { ...now, asked: null } : now)

/** The line of a host's worst route, and how many share it. */
function hostNowLine(now: HostNow): string {
  const shared = sharedBy(now)
  return shared === null ? nowLine(now) : `${nowLine(nowOfAll(now))} (${shared})`
}

/** The same for those who follow: it stays as it is while the run goes on. */
export function standingLine(now: HostNow): string {
  if (resultOf(now) !== '402-correct') return hostNowLine(now)
  const shared = sharedBy(now)
  return `Requesting payment since ${formatMinute(now.sinceUs)}${shared === null ? '' : ` (${shared})`}`
}

/** `verified`, `unverified`, or `differs` and in what, where that is known (`asksWords`). */
export function routeCheck(route: RouteView): string {
  if (route.probeStatus !== 'differs') return route.probeStatus
  return `differs${asksText(route.live?.challenge ?? null, route)}`
}

function asksText(challenge: Challenge | null, listed: Listed | null, quote?: (text: string) => string): string {
  const words = challenge && listed && asksWords(challenge, listed, quote)
  return words === null ? '' : `, ${words}`
}

/** The same of all routes of a host: what differs is said first. `quote` is for networks, which strangers write. */
export function hostCheck(check: PriceCheck, routes: number, quote?: (text: string) => string): string {
  const { verified, differs, listed = null } = check
  if (differs > 0) {
    const asks = asksText(check.asks, listed, quote)
    return routes === 1 ? `differs${asks}` : `differs on ${differs} of ${counted(routes, 'route')}${asks}`
  }
  if (verified === 0) return 'unverified'
  return verified === routes ? 'verified' : `verified on ${verified} of ${counted(routes, 'route')}`
}

export const p95Text = ({ p95Ms }: LatencySummary): string => `p95 latency ${thousands(p95Ms)} ms`

/** Of a host's or a route's days: `requested payment in 99.2 % of 1,240 probes in 30 days`. */
export function lastDaysLine({ days, today }: Pick<HostView, 'days' | 'today'>): string {
  const within = days.filter(({ day }) => day > today - ROW_DAYS)
  return `${requestedLine(sumOf(within.map(({ results }) => results)))} in ${ROW_DAYS} days`
}

/** `requested payment in 99.2 % of 1,240 probes` */
export function requestedLine(results: ResultCounts): string {
  const probes = RESULTS.reduce((sum, result) => sum + results[result], 0)
  if (probes === 0) return 'no probes'
  return `requested payment in ${percentText(results['402-correct'], probes)} of ${thousands(probes)} ${probes === 1 ? 'probe' : 'probes'}`
}
