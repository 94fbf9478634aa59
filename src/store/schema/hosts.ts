import type { Generated } from 'kysely'
import type { SaidPrice } from '../../domain/money/route-price.ts'
import type { ProbeStatus } from '../../domain/probe.ts'
import type { Method, Rail, Scheme } from '../../domain/route.ts'
import type { JsonText } from './json-text.ts'

/** What is known of hosts and their routes, counted and derived from the rows of the other tables. */
export interface HostTables {
  hosts: { host_id: number; name: string }
  host_counters: HostCounters
  host_days: HostDayTable
  host_latency: { host_id: number; step: number; latency_ms: number; n: number }
  routes: RouteTable
  route_state: RouteState
}

/** Paid calls that buyers reported, by level (`OUTCOME_COLUMN`). */
export interface OutcomeCounts {
  served_verified: number
  not_served_verified: number
  served_signed: number
  not_served_signed: number
  served_unsigned: number
  not_served_unsigned: number
}

/** Derived from the rows in the same transaction that changes them; `tollbook verify` recomputes all of it. */
export interface HostCounters extends OutcomeCounts {
  host_id: number
  /** Grows by one with every transaction that changes anything the host's pages show. */
  version: number
  routes: number
  answers: number
  correct_402: number
  failed: number
  unreachable: number
  newest_probe_us: number | null
  /** When a route of the host last requested payment, as far as entries are kept. */
  newest_402_us: number | null
  latency_min_ms: number | null
  latency_max_ms: number | null
  /** Counted agent reviews: not superseded, not excluded. */
  reviews_verified: number
  reviews_signed: number
  reviews_unsigned: number
  reviews_excluded: number
  /** All that are stored. */
  reviews: number
  posts: number
  /** Routes that a source names, by the class of the run they are in and by price check (`Summary`). */
  now_answers: number
  now_402: number
  now_failed: number
  now_unreachable: number
  routes_verified: number
  routes_differs: number
  price_min: number | null
  /** Twice the median latency as of so many entries, for lists alone. */
  median_sum_ms: number | null
  median_samples: number
  /** The newest entry about it in `log_entries`. */
  log_id: number | null
}

/** Derived like `HostCounters`, per UTC day, from the entries that are kept. */
export interface HostDayTable {
  host_id: number
  /** Counted from 1970-01-01. */
  day: number
  answers: number
  correct_402: number
  failed: number
  unreachable: number
  /** Over the entries with an HTTP result. */
  latency_sum_ms: number
}

export interface RouteTable {
  host_id: number
  route_id: number
  scheme: Scheme
  method: Method
  path: string
  rail: Rail
}

/** Columns that begin at zero by themselves. */
type Counted<T> = { [K in keyof T]: Generated<T[K]> }

/** What one vantage sees, as it is stored with the route: many of them are written, so they have no field names. */
export type SightRow = [
  vantage: string,
  entries: number,
  atUs: number,
  sinceUs: number,
  status: number,
  shield: number | null,
]

/** Derived like `HostCounters`, per route. */
export interface RouteState extends Counted<OutcomeCounts> {
  host_id: number
  route_id: number
  /** Of the listing row that gives the route its price (`priceRow`). */
  price: number | null
  network: string | null
  probe_status: ProbeStatus
  /** The lowest and the highest price of current rows; null where they do not disagree. */
  price_low: number | null
  price_high: number | null
  /** The row that the newest challenge matches, where it is not the one that gives the route its price. */
  matching: JsonText<SaidPrice> | null
  probes: number
  newest_probe_us: number | null
  /** The newest live challenge, which `probe_status` compares with the listings. */
  challenge_id: number | null
  challenge_us: number | null
  /** Status of the newest entry, 0 without an HTTP result, and since when entries are of its class. */
  now_status: number | null
  now_since_us: number | null
  last_402_us: number | null
  /** Of which classes it ever had an entry (`resultsIn`). */
  results: Generated<number>
  /** What each vantage sees; null where no entry names one. */
  sights: JsonText<SightRow[]> | null
  reviews: number
  /** 1 once a listing source has named the route; 0 while it is known by other evidence only. */
  listed: Generated<number>
}
