import { counted } from '../count.ts'
import { nowLine, resultOf } from '../now/now.ts'
import { formatMinute } from '../time/timestamp.ts'
import { type Fact, note, warning } from './finding.ts'
import type { KnownRoute } from './known.ts'

/** How a route stands, whatever it asks for. */
export const standingFacts = (route: KnownRoute): Fact[] => [...listedFacts(route), ...probedFacts(route)]

function listedFacts({ listings }: KnownRoute): Fact[] {
  const gone = listings.flatMap(({ goneUs }) => (typeof goneUs === 'number' ? [goneUs] : []))
  if (listings.length === 0 || gone.length < listings.length) return []
  return [
    warning('no_longer_listed', 'listings', `No source has named this route since ${formatMinute(Math.max(...gone))}.`),
  ]
}

function probedFacts({ now, isTemplate, lastDay }: KnownRoute): Fact[] {
  if (isTemplate && now === null)
    return [note('never_probed', 'probes', 'A path with parameters is never probed: how it answers is not known.')]
  if (now === null) return [note('never_probed', 'probes', 'This route was never probed: how it answers is not known.')]
  const result = resultOf(now)
  if (result === 'failed') return [warning('failing_now', 'probes', `${nowLine(now)}.`)]
  if (result === 'unreachable') return [warning('unreachable_lately', 'probes', `${nowLine(now)}.`)]
  if (lastDay.unreachable === 0) return []
  const said = `${lastDay.unreachable} of ${counted(lastDay.entries, 'probe')} in the last 24 hours got no answer.`
  return [warning('unreachable_lately', 'probes', said)]
}
