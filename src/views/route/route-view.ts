import type { SellerHost } from '../../domain/host.ts'
import type { AskedPrice } from '../../domain/money/asked-prices.ts'
import type { PayeeOrigin } from '../../domain/money/payee.ts'
import type { Method, Rail, Scheme } from '../../domain/route.ts'
import type { Day } from '../../domain/time/day.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { DayView } from '../host/day-view.ts'
import type { RouteView } from '../host/host-view.ts'
import type { ProbeWindow } from './windows.ts'

/** Which route is meant. Without a scheme, https where both are listed. */
export interface RouteRequest {
  readonly method: Method
  readonly path: string
  readonly rail: Rail
  readonly scheme: Scheme | null
}

/** Everything about one route; `route.probes` is one page of its entries, newest first. */
export interface RoutePageView {
  readonly host: SellerHost
  readonly route: RouteView
  readonly windows: readonly ProbeWindow[]
  /** Of the last 90 days, oldest first, of this route alone. */
  readonly days: readonly DayView[]
  readonly today: Day
  /** When it was read. */
  readonly nowUs: TimestampUs
  /** Opaque; continues the entries after the last one shown. */
  readonly nextProbes: string | null
  /** Single entries are kept from here on; `null`: all are kept. */
  readonly keptSinceUs: TimestampUs | null
  readonly asked: AskedView
  /** Newest first, thousands of them where strangers named so many. */
  readonly payees: readonly SeenPayee[]
  readonly payeesTotal: number
}

/** What live challenges of the last 90 days asked for: observed, and apart from what sources list. */
export interface AskedView {
  /** Last seen first. */
  readonly prices: readonly AskedPrice[]
  /** Entries with a challenge that were looked at. */
  readonly entries: number
  /** There may be more entries in these days: the newest were looked at. */
  readonly isCut: boolean
}

/** Named by strangers: untrusted in every representation. */
export interface SeenPayee {
  readonly network: string | null
  readonly payee: string
  readonly asset: string | null
  readonly origin: PayeeOrigin
  readonly firstUs: TimestampUs
  readonly lastUs: TimestampUs
}
