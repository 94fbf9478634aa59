import type { SellerHost } from '../../domain/host.ts'
import type { MicroDollars } from '../../domain/money/price.ts'
import type { PriceSpread } from '../../domain/money/route-price.ts'
import type { ProbeResult, ProbeStatus, ResultCounts } from '../../domain/probe.ts'
import type { Rail, RouteKey } from '../../domain/route.ts'
import type { Day } from '../../domain/time/day.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Forgiven } from '../../domain/words/asked.ts'
import type { Description } from '../../domain/words/description.ts'
import type { DayView } from './day-view.ts'
import type { Page, ReviewCounts } from './host-view.ts'
import type { HostNow, PriceCheck } from './now-view.ts'
import type { PastView } from './past-view.ts'

/** `match` is best match, the order of a search; without `q` it is that of `host`. */
export const HOST_SORTS = ['match', 'host', 'price', 'latency', 'newest', 'routes', 'reviews'] as const
export type HostSort = (typeof HOST_SORTS)[number]

/** How recently a route of the host must have requested payment. */
export const REQUESTED_WITHIN = ['day'] as const
export type RequestedWithin = (typeof REQUESTED_WITHIN)[number]

export const RETIRED = ['with', 'only'] as const
export type Retired = (typeof RETIRED)[number]

/** What a reader asked the list of hosts for. Conditions hold for one and the same route, and so do words beside them; `result` or `requested` alone is of the host. */
export interface HostQuery {
  /** Words of a host name, its paths, its descriptions and its sources; beginnings, parts and typing errors are understood. */
  readonly q: string | null
  readonly rail: Rail | null
  readonly network: string | null
  readonly maxPrice: MicroDollars | null
  /** Hosts with a route of this price check. */
  readonly check?: ProbeStatus | null
  /** Hosts with at least one probe entry of this class. */
  readonly result: ProbeResult | null
  /** Hosts with a 402-correct entry in the last 24 hours. */
  readonly requested?: RequestedWithin | null
  /** Hosts that their seller retired: with the others, or alone; left out unless given. */
  readonly retired?: Retired | null
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
  readonly now: HostNow | null
  /** Where there is no now although it was probed. */
  readonly past?: PastView | null
  readonly check: PriceCheck
  /** As of its newest entries or of at most a tenth fewer. */
  readonly medianMs: number | null
  readonly results: ResultCounts
  readonly newestEvidenceUs: TimestampUs | null
  /** Of the last 30 days, oldest first. */
  readonly days: readonly DayView[]
  readonly reviewCounts: ReviewCounts
  /** Of a row that a search found: the route of the host that fits the search best, if one does. */
  readonly match: RouteMatch | null
  /** What a source says of that route; without a search, of one of the host. Untrusted. */
  readonly description: Description | null
}

export interface RouteMatch extends RouteKey {
  readonly price: MicroDollars | null
  readonly network: string | null
  readonly probeStatus: ProbeStatus
  /** Where current rows disagree about its price. */
  readonly spread?: PriceSpread | null
}

/** One page of the list of hosts. */
export interface HostPage<Row = HostRow> extends Page<Row> {
  /** Words of a search that nothing found has. */
  readonly forgiven?: readonly Forgiven[]
}

/** What one can choose by, each with the hosts that have it. Nothing that leads nowhere. */
export interface Facets {
  readonly rails: readonly Choice<Rail>[]
  /** By their CAIP-2 form, the most common first. */
  readonly networks: readonly Choice<string>[]
  readonly ceilings: readonly Choice<MicroDollars>[]
  readonly checks: readonly Choice<ProbeStatus>[]
  readonly requestedToday: number
}

export interface Choice<T> {
  readonly value: T
  readonly hosts: number
}

/** The home page: totals over the whole directory and one page of hosts. */
export interface HomeView {
  readonly query: HostQuery
  readonly totals: { readonly hosts: number; readonly routes: number; readonly probes: number }
  readonly facets: Facets
  readonly rows: readonly HostRow[]
  /** Words of a search that nothing found has. */
  readonly forgiven?: readonly Forgiven[]
  readonly today: Day
  /** When it was read. */
  readonly nowUs: TimestampUs
  readonly next: string | null
}
