import type { NotServed, Outcome, PaidCallsByLevel } from '../../domain/buyers/outcome.ts'
import type { Challenge } from '../../domain/challenge.ts'
import type { SellerHost } from '../../domain/host.ts'
import type { LatencySummary } from '../../domain/latency.ts'
import type { Listing } from '../../domain/listing.ts'
import type { RouteFacts } from '../../domain/money/route-price.ts'
import type { Settlement } from '../../domain/money/settlement.ts'
import type { Now } from '../../domain/now/now.ts'
import type { Shield, Vantage } from '../../domain/now/vantage.ts'
import type { Contradiction } from '../../domain/offers/contradictions.ts'
import type { SeenOffer } from '../../domain/offers/seen-offer.ts'
import type { ProbeEntry, ResultCounts } from '../../domain/probe.ts'
import type { Exclusion, PaymentFound, SupportLevel } from '../../domain/review.ts'
import type { Method, Rail, RouteKey } from '../../domain/route.ts'
import type { Day } from '../../domain/time/day.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Description } from '../../domain/words/description.ts'
import type { Hidden } from '../../domain/words/hidden.ts'
import type { RouteFilter } from '../route/route-filter.ts'
import type { RetiredView, SellerPart, StatementView } from '../seller/seller-view.ts'
import type { DayView } from './day-view.ts'
import type { HostNow, LiveChallenge, PriceCheck } from './now-view.ts'
import type { PastView } from './past-view.ts'

/** Everything any representation of one seller host shows. HTML, Markdown and JSON are pure functions of it. */
export interface HostView {
  readonly host: SellerHost
  readonly counters: {
    readonly routes: number
    readonly machineEvidenceRows: number
    readonly newestEvidenceUs: TimestampUs | null
    readonly agentReviews: number
  }
  /** `null` until a route that a source names was probed. */
  readonly now: HostNow | null
  /** Where there is no now although it was probed. */
  readonly past?: PastView | null
  readonly check: PriceCheck
  readonly results: ResultCounts
  readonly latency: LatencySummary | null
  /** Single entries are kept from here on; the counts are of everything ever seen. `null`: all are kept. */
  readonly keptSinceUs: TimestampUs | null
  readonly reviewCounts: ReviewCounts
  /** What buyers say of calls that they paid for; probes are no part of it. */
  readonly paidCalls: PaidCallsByLevel
  /** Of the last 90 days, oldest first. */
  readonly days: readonly DayView[]
  readonly today: Day
  /** When it was read. */
  readonly nowUs: TimestampUs
  /** What the shown routes were asked for, and how many fit in all; `null` when they are all of them. */
  readonly filter: (RouteFilter & { readonly total: number }) | null
  /** At most `limit` routes, by path then method; `counters.routes` is the total. */
  readonly routes: readonly RouteView[]
  /** Where it broke its word, on any of its routes. */
  readonly contradicted: readonly ContradictedRoute[]
  /** Opaque; continues the route list after the last one shown. */
  readonly nextRoutes: string | null
  readonly thread: ThreadPart
  /** What its seller says, apart from all of the above. */
  readonly seller: SellerPart
}

export type ContradictedRoute = Pick<RouteView, 'method' | 'address' | 'contradictions'>

export interface ReviewCounts {
  readonly byLevel: Readonly<Record<SupportLevel, number>>
  /** Founder and self-generated reviews: stored, shown, never counted. */
  readonly excluded: number
}

export interface RouteView extends RouteKey, RouteFacts {
  readonly address: string
  /** Newest first. At most 20 on a host view, 200 on its own page; those that its price follows from are among them. */
  readonly listings: readonly Listing[]
  readonly listingsTotal: number
  /** What sources say of it in words, by source. Untrusted: quoted in every representation. */
  readonly descriptions: readonly Description[]
  /** `null` until it was probed. */
  readonly now: Now | null
  readonly live: LiveChallenge | null
  /** Of its 25 newest entries, or of as many as there are. */
  readonly medianMs: number | null
  /** Newest first, at most five on a host view. */
  readonly probes: readonly ProbeView[]
  readonly probesTotal: number
  /** Those that count first, by level, then the newest; at most five on a host view. */
  readonly reviews: readonly ReviewView[]
  readonly reviewsTotal: number
  readonly paidCalls: PaidCallsByLevel
  /** Of verified buyers, newest first, at most five. */
  readonly notServed: readonly NotServed[]
  /** What the seller put its signature to, newest first, at most eight. */
  readonly signedOffers: readonly SeenOffer[]
  /** Dearer prices than it had signed. */
  readonly contradictions: readonly Contradiction[]
  /** What its seller says of it; nothing where nobody speaks for the host. */
  readonly said?: readonly StatementView[]
  /** By its seller's word, alone or with the whole host. */
  readonly retired?: RetiredView | null
}

export interface ProbeView extends ProbeEntry {
  readonly challenge: Challenge | null
  /** From where it was looked at, where the prober said so. */
  readonly vantage?: Vantage | null
  /** Whose challenge page came instead of the seller's answer. */
  readonly shield?: Shield | null
  /** Its place in the evidence log, once it has one. */
  readonly logIndex?: number | undefined
}

/** One entry in a list over several routes. */
export interface RouteProbeView extends ProbeView {
  readonly method: Method
  readonly rail: Rail
  readonly address: string
}

export interface ReviewView {
  readonly id: string
  readonly url: string
  readonly method: Method
  readonly rail: Rail
  readonly rating: number
  /** Untrusted: quoted in every representation; empty when hidden. */
  readonly text: string
  readonly level: SupportLevel
  readonly levelReason: string | null
  readonly excluded: Exclusion | null
  readonly superseded: boolean
  readonly wallet: string | null
  readonly signature: string | null
  readonly signedAt: string | null
  readonly payment: { readonly network: string; readonly transaction: string } | null
  readonly paymentFound: PaymentFound | null
  /** Host of the directory that it was signed for; null where the lines name none. */
  readonly directory: string | null
  /** What the paid call brought, in the buyer's words. */
  readonly outcome: Outcome | null
  readonly submittedUs: TimestampUs
  readonly hidden: Hidden | null
  /** Its place in the evidence log, once it has one. */
  readonly logIndex?: number | undefined
  /** What the seller answered. */
  readonly reply?: StatementView | null
}

export interface ThreadPart {
  readonly total: number
  /** Oldest first. */
  readonly posts: readonly PostView[]
  readonly next: string | null
}

export interface PostView {
  readonly id: string
  /** Untrusted; empty when hidden. */
  readonly text: string
  readonly wallet: string
  readonly signature: string
  readonly signedAt: string
  readonly postedUs: TimestampUs
  readonly rail: Rail
  readonly payment: {
    readonly network: string
    readonly transaction: string
    readonly payer: string
    /** null, as the rest: the record of the payment is not here. */
    readonly settlement: Settlement | null
    readonly asset: string | null
    /** In the asset's base units. */
    readonly amount: string | null
    readonly payee: string | null
    /** Null also when no node has seen the transfer. */
    readonly logIndex: number | null
    readonly settledUs: TimestampUs | null
  }
  readonly hidden: Hidden | null
  /** Its place in the evidence log, once it has one. */
  readonly logIndex?: number | undefined
  /** What the seller answered. */
  readonly reply?: StatementView | null
}

export interface Page<T> {
  readonly items: readonly T[]
  /** Opaque cursor of the next page. */
  readonly next: string | null
}
