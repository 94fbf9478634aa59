import type { SellerHost } from '../domain/host.ts'
import type { MicroDollars } from '../domain/price.ts'
import type { ProbeResult, ResultCounts } from '../domain/probe.ts'
import type { Rail } from '../domain/route.ts'
import type { TimestampUs } from '../domain/timestamp.ts'
import type { ReviewCounts } from './host-view.ts'

export const HOST_SORTS = ['host', 'newest', 'routes', 'reviews'] as const
export type HostSort = (typeof HOST_SORTS)[number]

/** What a reader asked the list of hosts for. All given conditions hold for one and the same route. */
export interface HostQuery {
  /** Part of a host name or of a path. */
  readonly q: string | null
  readonly rail: Rail | null
  readonly network: string | null
  readonly maxPrice: MicroDollars | null
  /** Hosts with at least one probe entry of this class. */
  readonly result: ProbeResult | null
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
  readonly reviewCounts: ReviewCounts
}

/** The home page: totals over the whole directory and one page of hosts. */
export interface HomeView {
  readonly query: HostQuery
  readonly totals: { readonly hosts: number; readonly routes: number; readonly probes: number }
  readonly rows: readonly HostRow[]
  readonly next: string | null
}
