import { answerWords, reportedCalls } from '../buyers/outcome.ts'
import { counted } from '../count.ts'
import { type Now, nowLine, resultOf } from '../now/now.ts'
import { blockedLine, isSeenDifferently, sightsLine } from '../now/sights-line.ts'
import { formatMinute } from '../time/timestamp.ts'
import { type Fact, note, warning } from './finding.ts'
import type { KnownRoute } from './known.ts'

/** How a route stands, whatever it asks for. */
export const standingFacts = (route: KnownRoute): Fact[] => [
  ...retiredFacts(route),
  ...listedFacts(route),
  ...probedFacts(route),
  ...boughtFacts(route),
]

function retiredFacts({ retired }: KnownRoute): Fact[] {
  if (retired == null) return []
  const { sinceUs, movedTo } = retired
  return movedTo === null
    ? [warning('retired_by_seller', 'route', `Its seller retired this route on ${formatMinute(sinceUs)}.`)]
    : [
        warning(
          'moved_by_seller',
          'route',
          `Its seller said on ${formatMinute(sinceUs)} that this host moved to ${movedTo}.`,
        ),
      ]
}

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
  return [...answeringFacts(now, lastDay), ...vantageFacts(now)]
}

function answeringFacts(now: Now, lastDay: KnownRoute['lastDay']): Fact[] {
  const result = resultOf(now)
  const { httpStatus, shield = null } = now
  const blocked = blockedLine({ httpStatus, shield })
  if (result === 'unreachable') return [warning('unreachable_lately', 'probes', `${nowLine(now)}.`)]
  // Beside the other: whoever names one of the two in a policy is not told by the other.
  if (result !== 'failed') return unreachableFacts(lastDay)
  const said = `${nowLine(now)}.${blocked === null ? '' : ` ${blocked}`}`
  return [warning('failing_now', 'probes', said), ...unreachableFacts(lastDay)]
}

function unreachableFacts({ unreachable, entries }: KnownRoute['lastDay']): Fact[] {
  if (unreachable === 0) return []
  const said = `${unreachable} of ${counted(entries, 'probe')} in the last 24 hours got no answer.`
  return [warning('unreachable_lately', 'probes', said)]
}

/** Where some see what others do not: it may be down from where the buyer is, and not down. */
function vantageFacts({ sights = [] }: Now): Fact[] {
  if (!isSeenDifferently(sights)) return []
  return [warning('seen_differently', 'probes', `It depends on where you are: ${sightsLine(sights)}.`)]
}

function boughtFacts({ paidCalls, notServed }: KnownRoute): Fact[] {
  if (paidCalls.notServed === 0) return []
  const all = counted(reportedCalls(paidCalls), 'paid call')
  const newest =
    notServed === null
      ? ''
      : `; the newest: ${answerWords(notServed.httpStatus)}, reported ${formatMinute(notServed.reportedUs)}`
  const said = `Verified buyers reported ${all}, of which ${paidCalls.notServed} ${paidCalls.notServed === 1 ? 'was' : 'were'} not served${newest}.`
  return [warning('buyers_not_served', 'reviews', said)]
}
