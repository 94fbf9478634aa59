import { NO_VANTAGE } from '../domain/now/vantage.ts'
import { formatTimestamp } from '../domain/time/timestamp.ts'
import { refusalWords } from '../domain/words/refusal.ts'
import type { Hold, SourceRefusal, VantageHold, WhyRoute, WhyView } from '../views/why/why-view.ts'
import { namedLine } from './listing-words.ts'
import { timeText } from './values.ts'

export const WHY_TITLE = 'Why?'
export const WHY_LEAD =
  'Who lists it and who refused to, when it was probed and when it will be, and what holds that back.'
export const NOTHING_REFUSED =
  'Nothing that names it is among the examples of what sources refused in their newest sweeps.'
export const ROUTES_CUT = 'Only the first of its routes are shown.'

/** What holds everybody back, or the vantage that is named: ` from eu-1`. */
const VANTAGE_WORDS: Readonly<Record<VantageHold['hold'], (from: string, untilUs: number | null) => string>> = {
  robots: (from) => `not probed${from}: robots.txt of the host forbids the path to Tollbook`,
  pause: (from, untilUs) =>
    `not called${from} before ${timeText(untilUs)}: a rest after the last call, or one that the host asked for`,
  visit: (from, untilUs) => `a prober is at the host${from}, until ${timeText(untilUs)} at most`,
}

const vantageLine = ({ vantage, hold, untilUs }: VantageHold): string =>
  VANTAGE_WORDS[hold](` from ${vantage === NO_VANTAGE ? 'the prober without a name' : vantage}`, untilUs)

const HOLD_WORDS: Readonly<Record<Hold, (view: WhyView, route: WhyRoute) => string>> = {
  template: () => 'not probed: its path is a template, and nobody here fills in what it leaves open',
  method: ({ methods }, { method }) => `not probed: ${method} is not sent; probes send ${methods.join(', ')}`,
  opted_out: () => 'not probed: this directory leaves the host alone (PROBE_OPT_OUT)',
  robots: () => VANTAGE_WORDS.robots('', null),
  pause: ({ pauseUntilUs }) => VANTAGE_WORDS.pause('', pauseUntilUs),
  visit: ({ visitUntilUs }) => VANTAGE_WORDS.visit('', visitUntilUs),
  unscheduled: () => 'not in the schedule yet: a prober that runs adds it within seconds',
  retired: (_view, { nextUs }) =>
    `retired by its seller: probed once a week${nextUs === null ? '' : ' after the next probe'}, and no part of what its host is said to do now`,
  unlisted: () => 'no source names it any more: probed as before, and no part of what its host is said to do now',
}

/** When it was probed and when it will be. */
function probeLines({ nowUs }: WhyView, { last, nextUs, holds, partly }: WhyRoute): string[] {
  const before = last === null ? 'never probed' : `last probed ${formatTimestamp(last.atUs)}: ${last.result}`
  if (nextUs === null) return [before]
  const next = formatTimestamp(nextUs)
  if (nextUs > nowUs) return [before, `next probe ${next}`]
  const isVisited = holds.includes('visit') || partly.some(({ hold }) => hold === 'visit')
  const waits = isVisited ? 'its turn is now' : 'it waits for a prober; is one running?'
  return [before, `due since ${next}: ${waits}`]
}

/** All that is to be said of one route. */
export const whyRouteLines = (view: WhyView, route: WhyRoute): string[] => [
  ...(route.sources.length === 0 ? ['named by no source'] : route.sources.map(namedLine)),
  ...probeLines(view, route),
  ...route.holds.map((hold) => HOLD_WORDS[hold](view, route)),
  ...route.partly.map(vantageLine),
]

/** `mine refused bad_record: line 3: … (a line of …), sweep of …` */
export const sourceRefusalLine = ({ source, reason, item, startedUs }: SourceRefusal): string =>
  `${source} refused ${reason}: ${item} (${refusalWords(reason)}), sweep of ${formatTimestamp(startedUs)}`

/** The answer in one sentence. */
export function whyLine(view: WhyView): string {
  const { host, path, sources, routes, refused, documents } = view
  const what = path === null ? host : `${host}${path}`
  if (routes.length > 0) return whyKnown(view, what)
  const isRefused = refused.length > 0 || documents.some(({ refusedTotal }) => refusedTotal > 0)
  if (isRefused) return `No source lists ${what}; what was refused is told below.`
  if (sources.length > 0) return `Sources list ${host}, and none of them ${what}.`
  return `No source has named ${what}. tollbook add reads the documents of its seller at once.`
}

function whyKnown({ routes, nowUs }: WhyView, what: string): string {
  if (routes.every(({ holds }) => holds.includes('retired'))) return `The seller of ${what} retired it.`
  if (routes.every(({ holds }) => holds.includes('unlisted'))) return `No source names ${what} any more.`
  const held = routes.filter(({ nextUs, holds }) => nextUs === null || holds.includes('robots')).length
  const late = routes.filter(({ nextUs }) => nextUs !== null && nextUs <= nowUs).length
  if (held === routes.length) return `${what} is listed and not probed.`
  if (held > 0) return `${what} is listed; ${held} of ${routes.length} routes are not probed.`
  return late > 0 ? `${what} is listed, and due to be probed.` : `${what} is listed and probed.`
}
