import { type Now, nowLine, resultOf } from '../../domain/now/now.ts'
import { isNamed, type Sight } from '../../domain/now/sights.ts'
import { blockedLine, sightsLine } from '../../domain/now/sights-line.ts'
import { seenOf } from '../../domain/now/vantage.ts'
import { classify } from '../../domain/probe.ts'
import { formatTimestamp } from '../../domain/time/timestamp.ts'
import type { HostNow, PriceCheck } from '../../views/host/now-view.ts'
import type { PastView } from '../../views/host/past-view.ts'
import { hostCheck, pastLine } from '../now/now-words.ts'
import { timeOrNull } from '../values.ts'

export const nowJson = (now: Now) => ({
  result: resultOf(now),
  since: formatTimestamp(now.sinceUs),
  http_status: now.httpStatus,
  checked: formatTimestamp(now.checkedUs),
  last_402: timeOrNull(now.last402Us),
  line: nowLine(now),
  /** Left out where nobody turned the prober away. */
  blocked: blockedLine({ httpStatus: now.httpStatus, shield: now.shield ?? null }) ?? undefined,
  /** Left out where no vantage is named. */
  vantages: vantagesJson(now.sights ?? []),
})

function vantagesJson(sights: readonly Sight[]) {
  const line = sightsLine(sights)
  return line === '' ? undefined : { line, seen: sights.filter(isNamed).map(sightJson) }
}

const sightJson = (sight: Sight) => ({
  vantage: sight.vantage,
  seen: seenOf(sight),
  result: classify(sight.httpStatus),
  http_status: sight.httpStatus,
  shield: sight.shield,
  since: formatTimestamp(sight.sinceUs),
  checked: formatTimestamp(sight.atUs),
  entries: sight.entries,
})

export const hostNowJson = (now: HostNow) =>
  Object.assign(nowJson(now), { method: now.method, address: now.address, routes: now.routes, of: now.of })

/** Left out where there is a now, or where nothing was probed. */
export const pastJson = ({ past = null }: { readonly past?: PastView | null }) =>
  past === null ? {} : { past: { became: past.became, checked: formatTimestamp(past.checkedUs), line: pastLine(past) } }

export const priceCheckJson = (check: PriceCheck, routes: number) => ({
  verified: check.verified,
  differs: check.differs,
  line: hostCheck(check, routes),
})
