import { compareListings } from '../../domain/listing.ts'
import { currentRows } from '../../domain/money/route-price.ts'
import { PROBE_HEADING, PROBE_NOTE } from '../../domain/probe.ts'
import { addressOf, isTemplate } from '../../domain/route.ts'
import type { DecisionView, LevelRatings } from '../../views/decision/decision-view.ts'
import { paidCallsJson } from '../buyers/paid-calls.ts'
import { payeesJson } from '../buyers/payees.ts'
import { signedOffersJson } from '../buyers/signed-offers.ts'
import { countedReviews, priceDiffers, reviewsIn, unknowns } from '../decision-words.ts'
import { challengeFaults, observedPrice } from '../observed.ts'
import { apiReviewsHref, fullAddress, routeHref, type Site } from '../site.ts'
import { networkJson, priceOrNull, timeOrNull } from '../values.ts'
import { EVIDENCE_LABEL } from '../words.ts'
import { nowJson } from './now.ts'
import { windowJson } from './results.ts'
import { disagreementJson, listingJson, probeJson } from './route.ts'
import { retiredJson } from './statement.ts'

const levelJson = (ratings: LevelRatings) => {
  const [one = 0, two = 0, three = 0, four = 0, five = 0] = ratings.ratings
  return { level: ratings.level, n: reviewsIn(ratings), ratings: { 1: one, 2: two, 3: three, 4: four, 5: five } }
}

/** The answer to "should I pay this?" for one route. */
export function decisionJson(site: Site, view: DecisionView) {
  const { host, asked, route } = view
  const { method, address, path, rail, scheme } = route
  const observed = observedPrice(route)
  const newest = route.probes[0]
  return {
    asked: { method: asked.method, url: addressOf(asked.scheme, host, asked.path), rail: asked.rail },
    host,
    route: {
      ...{ method, address, path, rail, scheme },
      is_template: isTemplate(path),
      href: fullAddress(site, routeHref(host, route)),
    },
    evidence_label: EVIDENCE_LABEL,
    ...(route.now === null ? {} : { now: nowJson(route.now) }),
    ...(route.retired == null ? {} : { retired: retiredJson(site, route.retired) }),
    price: {
      listed: priceOrNull(route.price),
      listed_network: route.network,
      ...networkJson(route.network),
      observed: priceOrNull(observed?.price ?? null),
      observed_network: observed?.network ?? null,
      observed_at: timeOrNull(observed?.atUs ?? null),
      challenge_faults: [...challengeFaults(route)],
      differs: priceDiffers(view),
      probe_status: route.probeStatus,
      ...disagreementJson(route),
      listings: currentRows(route.listings).toSorted(compareListings).map(listingJson),
    },
    ...signedOffersJson(route),
    probes: {
      heading: PROBE_HEADING,
      note: PROBE_NOTE,
      total: route.probesTotal,
      newest: newest === undefined ? null : probeJson(newest),
      windows: view.windows.map(windowJson),
    },
    reviews: {
      counted: countedReviews(view),
      excluded: view.reviews.excluded,
      by_level: view.reviews.byLevel.map(levelJson),
      ...paidCallsJson(site, route.paidCalls, route.notServed),
      href: fullAddress(site, apiReviewsHref(host)),
    },
    payees: payeesJson(view.payees, view.payeesTotal),
    unknown: [...unknowns(view)],
  }
}
