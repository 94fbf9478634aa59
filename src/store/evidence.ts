import type { Challenge } from '../domain/challenge.ts'
import type { SellerHost } from '../domain/host.ts'
import type { Listing } from '../domain/listing.ts'
import type { ProbeEntry, ProbeResult, ResultCounts } from '../domain/probe.ts'
import type { Exclusion, PaymentFound, SupportLevel } from '../domain/review.ts'
import type { Rail, RouteKey } from '../domain/route.ts'
import type { TimestampUs } from '../domain/timestamp.ts'

/** A route's two numbers in the store. They never change, and no route is ever taken away. */
export interface RouteId {
  readonly hostId: number
  readonly routeId: number
}

/** A route wherever it is: the store finds or creates its host and itself, unless its numbers are known. */
export interface RouteRef extends RouteKey {
  readonly host: SellerHost
  readonly at?: RouteId | undefined
}

/** A fact: what a listing source says. */
export interface ListingInput extends RouteRef, Listing {
  /** In words, cleaned (`cleanDescription`); `null`: none any more. Left out: nothing is said about it, the stored words stay. */
  readonly description?: string | null | undefined
}

/** Who is paid on a route, as a listing or a live challenge named it. */
export interface PayeeInput extends RouteRef {
  readonly network: string
  readonly payee: string
  readonly asset: string | null
  readonly origin: 'listing' | 'challenge'
  readonly firstUs: TimestampUs
  readonly lastUs: TimestampUs
}

export interface Timings {
  readonly dnsMs: number | null
  readonly connectMs: number | null
  readonly tlsMs: number | null
  readonly firstByteMs: number | null
}

/** An observation: what one probe saw. The same route, time, status and latency are the same entry. */
export interface ProbeInput extends RouteRef, ProbeEntry {
  readonly challenge: Challenge | null
  readonly timings: Timings | null
  readonly remoteAddress: string | null
  /** The class of the route's newest entry before this one, where whoever probed it knows. */
  readonly lastResult?: ProbeResult | null
}

/** A review by an agent, with the server's finding about it. */
export interface ReviewInput extends RouteRef {
  readonly id: string
  /** The address that was reviewed: concrete where the listed route is a template. */
  readonly url: string
  readonly rating: number
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
  readonly receipt: Readonly<Record<string, unknown>> | null
  readonly submittedUs: TimestampUs
}

/** A paid post in a host's thread. */
export interface PostInput {
  readonly host: SellerHost
  readonly id: string
  readonly text: string
  readonly wallet: string
  readonly signature: string
  readonly signedAt: string
  readonly postedUs: TimestampUs
  readonly rail: Rail
  readonly payment: { readonly network: string; readonly transaction: string; readonly payer: string }
  readonly hidden: { readonly atUs: TimestampUs; readonly reason: string } | null
}

/** Something worth announcing in feeds. */
export interface EventInput {
  readonly host: SellerHost
  readonly kind: string
  readonly atUs: TimestampUs
  readonly route: RouteKey | null
  readonly data: Readonly<Record<string, unknown>>
}

/** A payee's verified claim to a host. */
export interface OwnershipInput {
  readonly host: SellerHost
  readonly signer: string
  readonly origin: string
  readonly proof: string
  readonly firstUs: TimestampUs
  readonly lastUs: TimestampUs
}

/** What the entries of a route counted for that are no longer kept. Moves between stores; nothing else makes them. */
export interface FoldedInput extends RouteRef {
  readonly counts: ResultCounts
  readonly newestUs: TimestampUs
  readonly challenge: Challenge | null
  readonly challengeUs: TimestampUs | null
}

/** How many entries of a host that are no longer kept took this long. */
export interface FoldedLatencyInput {
  readonly host: SellerHost
  readonly latencyMs: number
  readonly n: number
}

/** What is saved together: all of it in one transaction, or nothing. The three kinds of evidence stay apart. */
export interface Evidence {
  readonly listings: readonly ListingInput[]
  readonly payees: readonly PayeeInput[]
  readonly probes: readonly ProbeInput[]
  readonly reviews: readonly ReviewInput[]
  readonly posts: readonly PostInput[]
  readonly events: readonly EventInput[]
  readonly ownership: readonly OwnershipInput[]
  /** Single entries are kept from here on; `null` says nothing about it. */
  readonly keptSinceUs: TimestampUs | null
  readonly folded: readonly FoldedInput[]
  readonly foldedLatency: readonly FoldedLatencyInput[]
}

export const NO_EVIDENCE: Evidence = {
  listings: [],
  payees: [],
  probes: [],
  reviews: [],
  posts: [],
  events: [],
  ownership: [],
  keptSinceUs: null,
  folded: [],
  foldedLatency: [],
}
