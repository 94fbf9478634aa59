import type { Challenge } from '../../domain/challenge.ts'
import type { SellerHost } from '../../domain/host.ts'
import { medianIn } from '../../domain/latency.ts'
import { type Contradiction, contradictionsOf } from '../../domain/offers/contradictions.ts'
import type { SeenOffer } from '../../domain/offers/seen-offer.ts'
import type { ResultCounts } from '../../domain/probe.ts'
import { addressOf } from '../../domain/route.ts'
import { withoutHidden } from '../../domain/words/hidden.ts'
import { listingOf } from '../../store/facts/listings.ts'
import { factsIn } from '../../store/facts/route-state.ts'
import type { DayRow } from '../../store/hosts/days.ts'
import { paidCallsIn } from '../../store/hosts/outcome-columns.ts'
import type { HostProbeRow } from '../../store/pages/read-probes.ts'
import type { ProbeRow, RouteProbeRow, RouteRow } from '../../store/pages/read-routes.ts'
import { postOf } from '../../store/posts/read-post.ts'
import type { PostRow } from '../../store/posts/read-posts.ts'
import { statusIn } from '../../store/probes/no-status.ts'
import { seenOfferOf } from '../../store/probes/offers/offer-rows.ts'
import { shieldIn } from '../../store/probes/sight-rows.ts'
import { notServedIn } from '../../store/reviews/not-served.ts'
import { type ReviewRow, reviewOf } from '../../store/reviews/review-rows.ts'
import type { HostCounters } from '../../store/schema.ts'
import { readJson } from '../../store/sql/json.ts'
import type { DayView } from './day-view.ts'
import type { PostView, ProbeView, ReviewCounts, ReviewView, RouteProbeView, RouteView } from './host-view.ts'
import { type LiveChallenge, liveOf, nowOf } from './now-view.ts'

// What the store reads, as views say it.

type CountedResults = Pick<HostCounters, 'answers' | 'correct_402' | 'failed' | 'unreachable'>

export const resultsOf = (counters: CountedResults): ResultCounts => ({
  answers: counters.answers,
  '402-correct': counters.correct_402,
  failed: counters.failed,
  unreachable: counters.unreachable,
})

export function dayViewOf(row: DayRow): DayView {
  const reached = row.answers + row.correct_402 + row.failed
  const meanLatencyMs = reached === 0 ? null : Math.round(row.latency_sum_ms / reached)
  return { day: row.day, results: resultsOf(row), meanLatencyMs }
}

export const entriesOf = (counters: HostCounters): number =>
  counters.answers + counters.correct_402 + counters.failed + counters.unreachable

export const reviewCountsOf = (counters: HostCounters): ReviewCounts => ({
  byLevel: {
    'Verified buyer': counters.reviews_verified,
    Signed: counters.reviews_signed,
    Unsigned: counters.reviews_unsigned,
  },
  excluded: counters.reviews_excluded,
})

export const agentReviewsOf = (counters: HostCounters): number =>
  counters.reviews_verified + counters.reviews_signed + counters.reviews_unsigned

export const probeViewOf = (row: ProbeRow): ProbeView => probeViewWith(row, readJson(row.challenge))

/** Of a route with this newest live challenge. */
const probeViewIn = (row: RouteProbeRow, live: LiveChallenge | null): ProbeView =>
  probeViewWith(row, row.is_live === 1 && live !== null ? live.challenge : readJson(row.challenge))

const probeViewWith = (row: ProbeRow, challenge: Challenge | null): ProbeView => ({
  atUs: row.at_us,
  httpStatus: statusIn(row.status),
  latencyMs: row.latency_ms,
  error: row.error,
  challenge,
  vantage: row.vantage,
  shield: shieldIn(row.shield),
  logIndex: row.log_index ?? undefined,
})

export const routeProbeViewOf = (host: SellerHost, row: HostProbeRow): RouteProbeView => ({
  method: row.method,
  rail: row.rail,
  address: addressOf(row.scheme, host, row.path),
  ...probeViewOf(row),
})

// In one literal: a view that is spread into another is made twice, and what reads views of several shapes is slow.
export function routeViewOf(host: SellerHost, row: RouteRow): RouteView {
  const live = liveOf(row)
  const { price, network, probeStatus, spread, matching } = factsIn(row)
  const listings = row.listings.map(listingOf)
  const reviews = row.reviews.map(reviewViewOf)
  const signedOffers = row.signed_offers.map(seenOfferOf)
  return {
    scheme: row.scheme,
    method: row.method,
    path: row.path,
    rail: row.rail,
    address: addressOf(row.scheme, host, row.path),
    price,
    network,
    probeStatus,
    spread,
    matching,
    listings,
    listingsTotal: row.listings_total,
    descriptions: row.descriptions,
    now: nowOf(row, live),
    live,
    medianMs: medianIn(row.latencies),
    probes: row.probes.map((probe) => probeViewIn(probe, live)),
    probesTotal: row.probes_total,
    reviews,
    reviewsTotal: row.reviews_total,
    paidCalls: paidCallsIn(row),
    notServed: row.not_served.map(notServedIn),
    signedOffers,
    contradictions: signedOffers.length === 0 ? [] : contradictedBy(row, signedOffers, { listings, live, reviews }),
    said: [],
    retired: null,
  }
}

/** Where a route asks, is listed or charged for more than its seller signed. */
function contradictedBy(
  { rail }: RouteRow,
  signedOffers: readonly SeenOffer[],
  { listings, live, reviews }: Pick<RouteView, 'listings' | 'live' | 'reviews'>,
): Contradiction[] {
  const asked = live && { offers: live.challenge.offers.filter((offer) => offer.rail === rail), atUs: live.atUs }
  const payments = reviews.flatMap(({ payment, paymentFound }) =>
    payment === null || paymentFound === null ? [] : [{ ...payment, found: paymentFound }],
  )
  return contradictionsOf(signedOffers, { listings, live: asked, payments })
}

export const reviewViewOf = (row: ReviewRow): ReviewView => withoutHidden(reviewOf(row))

export const postViewOf = (row: PostRow): PostView => withoutHidden(postOf(row))
