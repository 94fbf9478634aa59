import { formatMinute } from '../time/timestamp.ts'
import { bestSight, currentSights, isNamed, type Sight } from './sights.ts'
import { type Looked, SEEN, type Seen, SHIELD_NAMES, type Shield, seenOf, type Vantage } from './vantage.ts'

/** `refused` is somebody's answer, `unreachable` is nobody's. */
const SEEN_WORDS: Readonly<Record<Seen, string>> = {
  '402-correct': 'requested payment',
  answers: 'answering without payment',
  blocked: 'refused',
  failed: 'failing',
  unreachable: 'unreachable',
}

/** `HTTP 403, Cloudflare`; nothing of what has no HTTP result. */
const detailsOf = ({ httpStatus, shield }: Sight): string => {
  const details = [
    ...(httpStatus === null ? [] : [`HTTP ${httpStatus}`]),
    ...(shield === null ? [] : [SHIELD_NAMES[shield]]),
  ]
  return details.length === 0 ? '' : ` (${details.join(', ')})`
}

/** `a`, `a and b`, `a, b and c` */
const listed = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

/**
 * `requested payment from eu-1 and us-1; refused from ap-1 since 2026-11-13 02:08 (HTTP 403)`: what each named vantage
 * sees, the best first; UTC, to the minute. Empty where none is named.
 */
export function sightsLine(sights: readonly Sight[]): string {
  if (sights.length === 0) return ''
  const current = currentSights(sights).filter(isNamed)
  const seen = SEEN.flatMap((one) => {
    const those = current.filter((sight) => seenOf(sight) === one)
    if (those.length === 0) return []
    const names = those.map((sight) =>
      one === '402-correct'
        ? sight.vantage
        : `${sight.vantage} since ${formatMinute(sight.sinceUs)}${detailsOf(sight)}`,
    )
    return [`${SEEN_WORDS[one]} from ${listed(names)}`]
  })
  const silent = sights.filter((sight) => isNamed(sight) && !current.includes(sight))
  const unseen = silent.map(({ vantage, atUs }) => `${vantage} since ${formatMinute(atUs)}`)
  return [...seen, ...(unseen.length === 0 ? [] : [`not looked at from ${listed(unseen)}`])].join('; ')
}

/** Those that see something else than the best: `refused from ap-1`. Empty where all agree. */
export function otherSights(sights: readonly Sight[]): string {
  if (sights.length === 0) return ''
  const best = bestSight(sights)
  const current = currentSights(sights).filter(isNamed)
  const others = SEEN.flatMap((one) => {
    const names = current.filter((sight) => seenOf(sight) === one).map(({ vantage }) => vantage)
    return names.length === 0 || best === undefined || one === seenOf(best)
      ? []
      : [`${SEEN_WORDS[one]} from ${listed(names)}`]
  })
  return others.join('; ')
}

/** That somebody answers, where an answer turned the prober away: blocked, not dead. `null` of every other. */
export function blockedLine(looked: Looked): string | null {
  if (seenOf(looked) !== 'blocked') return null
  const { httpStatus, shield } = looked
  const by = shield === null ? '' : ` by ${SHIELD_NAMES[shield]}`
  return `Blocked, not dead: the host answers and turns this directory away${by} (HTTP ${httpStatus}).`
}

/** From where an entry was looked at and who stopped it, beside its printed line; `null` where nothing is known of it. */
export function entryNote({ vantage, shield }: { vantage?: Vantage | null; shield?: Shield | null }): string | null {
  if (vantage == null && shield == null) return null
  const notes = [
    ...(vantage == null ? [] : [`from ${vantage}`]),
    ...(shield == null ? [] : [`stopped by ${SHIELD_NAMES[shield]}`]),
  ]
  return notes.join(', ')
}

/** Whether vantages that still look see different things of one route. */
export const isSeenDifferently = (sights: readonly Sight[]): boolean =>
  new Set(currentSights(sights).filter(isNamed).map(seenOf)).size > 1
