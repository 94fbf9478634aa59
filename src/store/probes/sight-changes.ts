import { currentSights, isNamed, type Sight } from '../../domain/now/sights.ts'
import { sightsLine } from '../../domain/now/sights-line.ts'
import { seenOf } from '../../domain/now/vantage.ts'
import { classify, type ProbeResult } from '../../domain/probe.ts'
import type { PlacedEvent } from '../hosts/host-transaction.ts'
import type { Newest, NewestByRoute } from './newest.ts'
import type { Appended } from './probes.ts'

/**
 * One announcement for each vantage that now sees something else of a route than before, while others look at it too: of
 * what `class_changed` does not say already.
 */
export const sightChanges = (before: NewestByRoute, appended: readonly Appended[]): PlacedEvent[] =>
  appended.flatMap(({ hostId, routeId, route, entries, after }): PlacedEvent[] => {
    const known = before.get(route)
    if (after?.run == null || known === undefined) return []
    const current = currentSights(after.sights).filter(isNamed)
    const together = classify(after.run.httpStatus)
    const looked = new Set(entries.map(({ vantage }) => vantage))
    if (current.length < 2) return []
    return current
      .filter((sight) => looked.has(sight.vantage) && isNews(sight, known, together))
      .map((sight) => {
        const { vantage, atUs, httpStatus, shield } = sight
        const from = earlier(sight, known)
        const data = {
          ...{ vantage, from: from === undefined ? null : seenOf(from), to: seenOf(sight), http_status: httpStatus },
          ...(shield === null ? {} : { shield }),
          line: sightsLine(after.sights),
        }
        return { hostId, routeId, atUs, kind: 'vantage_changed', data }
      })
  })

const earlier = ({ vantage }: Sight, known: Newest): Sight | undefined =>
  known.sights.find((sight) => sight.vantage === vantage)

function isNews(sight: Sight, known: Newest, together: ProbeResult): boolean {
  const from = earlier(sight, known)
  const isOther = classify(sight.httpStatus) !== together
  if (from === undefined) return isOther
  const isSaid = known.run !== null && classify(known.run.httpStatus) !== together && !isOther
  return seenOf(from) !== seenOf(sight) && !isSaid
}
