import type { SellerHost } from '../../domain/host.ts'
import type { Vantage } from '../../domain/now/vantage.ts'
import type { ProbeResult } from '../../domain/probe.ts'
import type { Method, RouteKey, Scheme } from '../../domain/route.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { DocumentView, HostNamedBy, NamedBy } from '../host/listing-history-view.ts'

/**
 * Why a route is not probed now, or not at all. `template`: nobody fills in what its path leaves open. `method`: it is
 * not among those that are sent. `pause`: politeness, or the host asked for it. `visit`: a prober is at the host.
 * `unscheduled`: no prober has seen it yet. `retired`: by its seller, so that it is looked at once a week. `unlisted`: no
 * source names it any more; it is looked at as before.
 */
export const HOLDS = [
  'template',
  'method',
  'opted_out',
  'robots',
  'pause',
  'visit',
  'unscheduled',
  'retired',
  'unlisted',
] as const
export type Hold = (typeof HOLDS)[number]

/** What holds back one vantage while others look. */
export interface VantageHold {
  readonly vantage: Vantage
  readonly hold: Extract<Hold, 'robots' | 'pause' | 'visit'>
  /** `null`: it has no end that is known. */
  readonly untilUs: TimestampUs | null
}

export interface WhyAsked {
  readonly host: SellerHost
  /** Concrete where a listed template stands for it; `null`: all of the host. */
  readonly path: string | null
}

/** What probers of this directory are told, as far as it says whom they call. */
export interface ProbeRules {
  readonly methods: readonly Method[]
  isOptedOut(host: SellerHost): boolean
  /** Whether what is kept of the host's robots.txt lets us call a path. */
  isAllowed(robots: string | null, scheme: Scheme, path: string): boolean
}

export interface WhyRoute extends RouteKey {
  readonly address: string
  readonly sources: readonly NamedBy[]
  readonly last: { readonly atUs: TimestampUs; readonly result: ProbeResult } | null
  /** From whichever vantage is the first. `null`: it is not going to be. In the past: it is overdue. */
  readonly nextUs: TimestampUs | null
  /** For every vantage that looks. */
  readonly holds: readonly Hold[]
  /** Where not all of them are held back. */
  readonly partly: readonly VantageHold[]
}

/** An item of a source's newest sweep that names the host and gave no route. Untrusted. */
export interface SourceRefusal {
  readonly source: string
  readonly reason: string
  /** With the number of its line, of a file. */
  readonly item: string
  readonly startedUs: TimestampUs
}

/** Why a host or a route is listed and probed as it is, or is not. */
export interface WhyView {
  readonly host: SellerHost
  /** Of the route that was asked about; `null`: all of the host. */
  readonly path: string | null
  readonly nowUs: TimestampUs
  /** Methods that probes send. */
  readonly methods: readonly Method[]
  readonly sources: readonly HostNamedBy[]
  readonly refused: readonly SourceRefusal[]
  readonly documents: readonly DocumentView[]
  /** Nobody calls the host before this, from wherever, when that is to come. */
  readonly pauseUntilUs: TimestampUs | null
  /** A prober holds the host until then at most. */
  readonly visitUntilUs: TimestampUs | null
  /** The first of them, by path then method. */
  readonly routes: readonly WhyRoute[]
  readonly isCut: boolean
}
