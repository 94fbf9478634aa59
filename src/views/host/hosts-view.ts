import type { SellerHost } from '../../domain/host.ts'
import type { MicroDollars } from '../../domain/money/price.ts'
import type { ProbeResult, ResultCounts } from '../../domain/probe.ts'
import type { Rail } from '../../domain/route.ts'
import type { Day } from '../../domain/time/day.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Description } from '../../domain/words/description.ts'
import type { DayView } from './day-view.ts'
import type { ReviewCounts } from './host-view.ts'

/** `match` is best match, the order of a search; without `q` it is that of `host`. */
export const HOST_SORTS = ['match', 'host', 'newest', 'routes', 'reviews'] as const
export type HostSort = (typeof HOST_SORTS)[number]

/** How recently a route of the host must have requested payment. */
export const REQUESTED_WITHIN = ['day'] as const
export type RequestedWithin = (typeof REQUESTED_WITHIN)[number]

/** What a reader asked the list of hosts for. All given conditions hold for one and the same route. */
export interface HostQuery {
  /** Words of a host name, its paths, its descriptions and its sources; beginnings, parts and typing errors are understood. */
  readonly q: string | null
  readonly rail: Rail | null
  readonly network: string | null
  readonly maxPrice: MicroDollars | null
  /** Hosts with at least one probe entry of this class. */
  readonly result: ProbeResult | null
  /** Hosts with a 402-correct entry in the last 24 hours. */
  readonly requested?: RequestedWithin | null
  readonly sort: HostSort
  readonly limit: number
  readonly cursor: string | null
}

/** One row of the list of hosts. */
export interface HostRow {
  readonly host: SellerHost
  readonly routes: number
  readonly rails: readonly Rail[]
  readonly priceMin: MicroDollars | null
  readonly priceMax: MicroDollars | null
  readonly results: ResultCounts
  readonly newestEvidenceUs: TimestampUs | null
  /** Of the last 30 days, oldest first. */
  readonly days: readonly DayView[]
  readonly reviewCounts: ReviewCounts
  /** Of a row that a search found: what a source says of a route of the host that fits the search best. Untrusted. */
  readonly description: Description | null
}

/** The home page: totals over the whole directory and one page of hosts. */
export interface HomeView {
  readonly query: HostQuery
  readonly totals: { readonly hosts: number; readonly routes: number; readonly probes: number }
  readonly rows: readonly HostRow[]
  readonly today: Day
  readonly next: string | null
}
