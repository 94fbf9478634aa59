import { type Now, nowLine, resultOf } from '../../../domain/now/now.ts'
import { nowOf, type SeenRoute } from '../../../domain/now/now-of.ts'
import { continueSights, isNamed, NO_SIGHTS, type RouteSights, type SightEntry } from '../../../domain/now/sights.ts'
import { seenOf } from '../../../domain/now/vantage.ts'
import { classify } from '../../../domain/probe.ts'
import { formatTimestamp } from '../../../domain/time/timestamp.ts'
import { type Differences, isShown, listIn, only, type Shown, shownIn } from '../shown.ts'

/** An entry, and its place in the log. */
export interface PlacedEntry extends SightEntry {
  readonly index: number
}

const NOW = ['result', 'http_status', 'checked']
const SIGHT = ['vantage', 'seen', 'result', 'http_status', 'shield', 'since', 'checked', 'entries']
/** Its price and network are not asked for here. */
const NOT_LISTED = { rail: 'x402', network: null, price: null } as const

/** What is true of a route by its entries, at every place since; `null` before the first. */
export function nowsOf(entries: readonly PlacedEntry[], since: number): readonly (Now | null)[] {
  const before = entries.filter(({ index }) => index < since)
  const late = entries.filter(({ index }) => index >= since).toSorted((a, b) => a.index - b.index)
  let newestUs = before.reduce((newest, { atUs }) => Math.max(newest, atUs), -1)
  let state = continueSights(NO_SIGHTS, before)
  const nows = [told(state, newestUs)]
  for (const [n, entry] of late.entries()) {
    const isNewest = entry.atUs > newestUs
    state = isNewest ? continueSights(state, [entry]) : continueSights(NO_SIGHTS, [...before, ...late.slice(0, n + 1)])
    newestUs = Math.max(newestUs, entry.atUs)
    nows.push(told(state, newestUs))
  }
  return nows
}

const told = ({ run, sights }: RouteSights, newestUs: number): Now | null => {
  if (run === null) return null
  const seen: SeenRoute = { run, newestUs, live: null, sights: sights.some(isNamed) ? sights : [] }
  return nowOf(seen, NOT_LISTED)
}

/**
 * Holds what is shown to be true now against one of these. Entries before `keptSince` may have been counted by a version that
 * kept no runs: since when it is so is not compared that far back.
 */
export function compareNow(
  what: string,
  shown: unknown,
  nows: readonly (Now | null)[],
  keptSince: string,
  found: Differences,
): void {
  found.sameAsOne(nows, (now, within) => {
    if (!isShown(shown) && now !== null && formatTimestamp(now.checkedUs) < keptSince) return
    if (!isShown(shown) || now === null) {
      within.same(`${what}: now`, isShown(shown) ? shown.line : null, now && nowLine(now))
      return
    }
    const since = formatTimestamp(now.sinceUs)
    const paid = now.last402Us === null ? null : formatTimestamp(now.last402Us)
    const result = { result: resultOf(now), http_status: now.httpStatus, checked: formatTimestamp(now.checkedUs) }
    within.sameMembers(`${what}: now`, shown, result, NOW)
    if (since < keptSince || (paid ?? keptSince) < keptSince) return
    within.same(`${what}: now: since`, shown.since, since)
    within.same(`${what}: now: last_402`, shown.last_402, paid)
    // What was asked for stands after the time.
    const line = nowLine(now)
    if (result.result !== '402-correct' || !String(shown.line).startsWith(`${line}, `))
      within.same(`${what}: now: line`, shown.line, line)
    within.same(`${what}: now: vantages`, sightsIn(shown), (now.sights ?? []).filter(isNamed).map(sightOf))
  })
}

const sightsIn = (shown: Shown): unknown[] =>
  listIn(shownIn(shown, 'vantages'), 'seen').map((sight) => only(sight, SIGHT))

const sightOf = (sight: NonNullable<Now['sights']>[number]): Shown => ({
  ...{ vantage: sight.vantage, seen: seenOf(sight), result: classify(sight.httpStatus), http_status: sight.httpStatus },
  ...{ shield: sight.shield, since: formatTimestamp(sight.sinceUs), checked: formatTimestamp(sight.atUs) },
  entries: sight.entries,
})
