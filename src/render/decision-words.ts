import { RESULTS } from '../domain/probe.ts'
import { isTemplate } from '../domain/route.ts'
import { DAY_US } from '../domain/time/day.ts'
import type { DecisionView, LevelRatings } from '../views/decision/decision-view.ts'
import type { RouteView } from '../views/host/host-view.ts'
import type { ProbeWindow } from '../views/route/windows.ts'
import { observedPrice } from './observed.ts'

export const DECISION_TITLE = 'Should I pay this?'
export const DECISION_NOTE =
  'Evidence, no score: listed facts, machine observations and agent reviews of one route, each apart. Whether it is worth paying is for you to decide.'

export const reviewsIn = ({ ratings }: LevelRatings): number => ratings.reduce((sum, n) => sum + n, 0)

export const countedReviews = ({ reviews }: DecisionView): number =>
  reviews.byLevel.reduce((sum, level) => sum + reviewsIn(level), 0)

const entriesIn = ({ results }: ProbeWindow): number => RESULTS.reduce((sum, result) => sum + results[result], 0)

/** Whether the observed price is another than the listed one; `null` while one of the two is not known. */
export function priceDiffers({ route }: DecisionView): boolean | null {
  const observed = observedPrice(route)
  if (observed !== null && route.probeStatus === 'verified') return false
  return observed === null || route.price === null ? null : observed.price !== route.price
}

const isUnlisted = ({ listings }: RouteView): boolean =>
  listings.length > 0 && listings.every(({ goneUs }) => typeof goneUs === 'number')

function unknownPrice({ live, rail }: RouteView): string {
  const asked = live?.challenge.offers.map((offer) => offer.rail) ?? []
  const [instead] = asked.includes(rail) ? [] : asked
  return instead === undefined
    ? 'The price that is really asked for: no live challenge with one was read.'
    : `The price that is really asked for on ${rail}: the newest challenge asks on ${instead}.`
}

/** Windows count kept entries, and a directory may keep them for less long. */
const isCheckedWithin = ({ route: { now }, known: { nowUs } }: DecisionView, spanUs: number): boolean =>
  now !== null && now.checkedUs > nowUs - spanUs

/** What this directory does not know about the route, in words. */
export function unknowns(view: DecisionView): readonly string[] {
  const { route, windows, payeesTotal } = view
  const [day, , month] = windows
  const isUnprobed = month !== undefined && entriesIn(month) === 0 && !isCheckedWithin(view, 30 * DAY_US)
  return [
    ...(isUnlisted(route) ? ['Whether it is still offered: no source names it any more.'] : []),
    ...(route.price === null ? ['The listed price: no source states one in a known dollar.'] : []),
    ...(observedPrice(route) === null ? [unknownPrice(route)] : []),
    ...(isTemplate(route.path) ? ['How it answers: a path with parameters is never probed.'] : []),
    ...(!isTemplate(route.path) && isUnprobed ? ['How it answers now: no probe in the last 30 days.'] : []),
    ...(!isUnprobed && day !== undefined && entriesIn(day) === 0
      ? ['How it answered today: no probe in the last 24 hours.']
      : []),
    ...(payeesTotal === 0 ? ['Who is paid: no source and no live challenge named a payee.'] : []),
    ...(countedReviews(view) === 0 ? ['What buyers say: there is no agent review of this route.'] : []),
    'What a paid call brings: probes never pay, so only reviews can tell.',
  ]
}
