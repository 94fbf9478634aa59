import type { SellerHost } from '../../domain/host.ts'
import type { RouteKey } from '../../domain/route.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Refused } from '../../domain/words/refusal.ts'

/** From when to when a source named something. */
export interface NamedBy {
  readonly source: string
  readonly firstUs: TimestampUs
  readonly lastUs: TimestampUs
  /** Start of the complete sweep since which it does not any more; `null` while it does. */
  readonly goneUs: TimestampUs | null
}

/** Of a whole host. */
export interface HostNamedBy extends NamedBy {
  /** How many routes it ever named, and how many it names now. */
  readonly routes: number
  readonly routesNamed: number
}

export interface NamedRoute extends RouteKey {
  readonly address: string
  /** By source. */
  readonly sources: readonly NamedBy[]
}

/** One of the seller's own documents, as it was last read. */
export interface DocumentView {
  readonly source: string
  readonly url: string
  readonly sha256: string
  readonly readUs: TimestampUs
  readonly seen: number
  readonly stored: number
  /** The first of `refusedTotal`. */
  readonly refused: readonly Refused[]
  readonly refusedTotal: number
}

/** Where a seller is listed, since when, and why not. */
export interface ListingHistoryView {
  readonly host: SellerHost
  readonly sources: readonly HostNamedBy[]
  readonly documents: readonly DocumentView[]
  /** One page, by path then method. */
  readonly routes: readonly NamedRoute[]
  /** Opaque; continues the routes. */
  readonly next: string | null
}
