import type { Challenge } from '../domain/challenge.ts'
import type { SellerHost } from '../domain/host.ts'
import type { ProbeStatus, ResultCounts } from '../domain/probe.ts'
import type { Exclusion, SupportLevel } from '../domain/review.ts'
import { addressOf, type Method, type Rail, type Scheme } from '../domain/route.ts'
import { settlementOf } from '../domain/settlement.ts'
import type { DayRow } from '../store/days.ts'
import { listingOf } from '../store/listings.ts'
import { NO_STATUS } from '../store/probes.ts'
import type { ProbeRow, RouteRow } from '../store/read-host.ts'
import type { HostProbeRow } from '../store/read-probes.ts'
import type { PostRow, ReviewRow } from '../store/read-writing.ts'
import type { HostCounters } from '../store/schema.ts'
import type { DayView } from './day-view.ts'
import type { PostView, ProbeView, ReviewCounts, ReviewView, RouteProbeView, RouteView } from './host-view.ts'

// What the store reads, as views say it. Words of closed vocabularies were checked on their way in.

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

export const probeViewOf = (row: ProbeRow): ProbeView => ({
  atUs: row.at_us,
  httpStatus: row.status === NO_STATUS ? null : row.status,
  latencyMs: row.latency_ms,
  error: row.error,
  challenge: challengeOf(row.challenge),
})

const challengeOf = (text: string | null): Challenge | null => (text === null ? null : JSON.parse(text))

export const routeProbeViewOf = (host: SellerHost, row: HostProbeRow): RouteProbeView => ({
  ...probeViewOf(row),
  method: row.method as Method,
  rail: row.rail as Rail,
  address: addressOf(row.scheme as Scheme, host, row.path),
})

export const routeViewOf = (host: SellerHost, row: RouteRow): RouteView => ({
  scheme: row.scheme as Scheme,
  method: row.method as Method,
  path: row.path,
  rail: row.rail as Rail,
  address: addressOf(row.scheme as Scheme, host, row.path),
  price: row.price,
  network: row.network,
  probeStatus: row.probe_status as ProbeStatus,
  listings: row.listings.map(listingOf),
  descriptions: row.descriptions,
  probes: row.probes.map(probeViewOf),
  probesTotal: row.probes_total,
  reviews: row.reviews.map(reviewViewOf),
  reviewsTotal: row.reviews_total,
})

export const reviewViewOf = (row: ReviewRow): ReviewView => ({
  id: row.review_id,
  url: row.url,
  method: row.method as Method,
  rail: row.rail as Rail,
  rating: row.rating,
  text: row.text,
  level: row.level as SupportLevel,
  levelReason: row.level_reason,
  excluded: row.excluded as Exclusion | null,
  superseded: row.superseded === 1,
  wallet: row.wallet,
  signature: row.signature,
  signedAt: row.signed_at,
  payment:
    row.payment_network === null || row.payment_transaction === null
      ? null
      : { network: row.payment_network, transaction: row.payment_transaction },
  paymentFound: row.payment_found === null ? null : JSON.parse(row.payment_found),
  submittedUs: row.submitted_us,
})

export const postViewOf = (row: PostRow): PostView => ({
  id: row.post_id,
  text: row.hidden_us === null ? row.text : '',
  wallet: row.wallet,
  signature: row.signature,
  signedAt: row.signed_at,
  postedUs: row.posted_us,
  rail: row.rail as Rail,
  payment: {
    network: row.payment_network,
    transaction: row.payment_transaction,
    payer: row.payer,
    settlement: row.log_index === null ? null : settlementOf(row.rail as Rail, row.log_index),
  },
  hidden: row.hidden_us === null ? null : { atUs: row.hidden_us, reason: row.hidden_reason ?? '' },
})
