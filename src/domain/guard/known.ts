import type { NotServed, PaidCalls } from '../buyers/outcome.ts'
import type { Offer } from '../challenge.ts'
import type { SellerHost } from '../host.ts'
import type { Listing } from '../listing.ts'
import type { PayeeOrigin } from '../money/payee.ts'
import type { MicroDollars } from '../money/price.ts'
import type { Now } from '../now/now.ts'
import type { SeenOffer } from '../offers/seen-offer.ts'
import type { TimestampUs } from '../time/timestamp.ts'
import type { FindingCode } from './finding.ts'

/** What a seller asks for now, as whoever is about to pay read it. */
export type LiveOffer = Omit<Offer, 'rail'>

/** What whoever pays has decided beforehand. */
export interface BuyerPolicy {
  /** Nothing dearer is paid. */
  readonly maxPrice: MicroDollars | null
  /** How far above a known price is still that price: 0.05 is five hundredths. */
  readonly tolerance: number
  /** The codes that stop; `null`: those that stop by default. */
  readonly stop: readonly FindingCode[] | null
}

/** Somebody who was named as payee of a route. */
export interface KnownPayee {
  readonly payee: string
  readonly origin: PayeeOrigin
  readonly firstUs: TimestampUs
  readonly lastUs: TimestampUs
}

/** What a directory knows of a route, as far as an offer is compared with it. */
export interface KnownRoute {
  readonly isTemplate: boolean
  readonly listings: readonly Listing[]
  /** Of the newest live challenge, on the route's rail. */
  readonly offers: readonly Offer[]
  readonly observedUs: TimestampUs | null
  readonly payees: readonly KnownPayee[]
  /** UTC days on which a live challenge named a payee. */
  readonly payeeDays: number
  readonly now: Now | null
  /** Probe entries of the last 24 hours, and how many of them got no answer. */
  readonly lastDay: { readonly entries: number; readonly unreachable: number }
  /** What verified buyers say of calls that they paid for, and the newest that was not served. */
  readonly paidCalls: PaidCalls
  readonly notServed: Pick<NotServed, 'httpStatus' | 'reportedUs'> | null
  /** By its seller's word, alone or with the whole host. */
  readonly retired?: { readonly sinceUs: TimestampUs; readonly movedTo: SellerHost | null } | null
  /** What the seller put its signature to. */
  readonly signedOffers: readonly SeenOffer[]
  /** When it was read. */
  readonly nowUs: TimestampUs
}

/** `unknown host` and `unknown route`: no listing source has named it. */
export type Known = KnownRoute | 'unknown host' | 'unknown route'
