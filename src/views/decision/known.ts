import type { KnownRoute } from '../../domain/guard/known.ts'
import { RESULTS } from '../../domain/probe.ts'
import { isTemplate } from '../../domain/route.ts'
import { type Day, dayOf } from '../../domain/time/day.ts'
import type { SeenRoute } from '../route/open-route.ts'

/** What an offer is compared with. `challengeDays`: when the newest live challenge was seen. */
export function knownOf(
  { route, windows, nowUs, payees: everybody }: SeenRoute,
  challengeDays: readonly Day[],
): KnownRoute {
  const offers = (route.live?.challenge.offers ?? []).filter(({ rail }) => rail === route.rail)
  const namesPayee = offers.some(({ payee }) => payee !== null)
  // Nobody is to be paid by an offer who was only seen to share in one.
  const payees = everybody.filter(({ origin }) => origin !== 'split')
  const live = payees.filter(({ origin }) => origin === 'challenge')
  const days = new Set([
    ...(namesPayee ? challengeDays : []),
    ...live.flatMap(({ firstUs, lastUs }) => [dayOf(firstUs), dayOf(lastUs)]),
  ])
  const results = windows[0]?.results
  return {
    isTemplate: isTemplate(route.path),
    listings: route.listings,
    offers,
    observedUs: route.live?.atUs ?? null,
    payees,
    payeeDays: days.size,
    now: route.now,
    lastDay: {
      entries: results === undefined ? 0 : RESULTS.reduce((sum, result) => sum + results[result], 0),
      unreachable: results?.unreachable ?? 0,
    },
    paidCalls: route.paidCalls['Verified buyer'],
    notServed: route.notServed[0] ?? null,
    retired: route.retired ?? null,
    signedOffers: route.signedOffers,
    nowUs,
  }
}
