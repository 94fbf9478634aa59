import type { Vantage } from '../domain/now/vantage.ts'
import type { Method } from '../domain/route.ts'
import type { TimestampUs } from '../domain/time/timestamp.ts'
import type { Store } from '../store/store.ts'
import type { Egress } from './egress.ts'
import type { ProbeLog } from './log.ts'
import { DEFAULT_GAP_MS, type Manners } from './politeness.ts'
import { PROBE_LIMITS, type Probed, type ProbeLimits, SAFE_METHODS } from './probe-route.ts'
import type { Visited } from './visit.ts'

export interface ProberSettings {
  /** From where it looks, if it says so. Probers of one vantage share its work; each vantage looks at everything. */
  readonly vantage: Vantage | null
  /** Between two probes of one route. */
  readonly intervalMs: number
  readonly manners: Manners
  /** Methods that are sent at all. Every prober of a store is told the same. */
  readonly methods: readonly Method[]
  readonly limits: ProbeLimits
  /** Hosts visited at the same time; each has one request in flight. */
  readonly concurrency: number
  /** Routes of one host that are probed in one turn. */
  readonly routesPerTurn: number
  /** A killed prober's hosts come back after this. Holds at least two calls and ten seconds: see `visit`. */
  readonly leaseMs: number
  /** Others' addresses that are always there, to tell their failures from ours; none: nothing is doubted. */
  readonly checkAddresses: readonly string[]
}

export const DEFAULT_PROBER: ProberSettings = {
  vantage: null,
  intervalMs: 6 * 3_600_000,
  manners: { gapMs: DEFAULT_GAP_MS, optOut: [] },
  methods: SAFE_METHODS,
  limits: PROBE_LIMITS,
  concurrency: 250,
  routesPerTurn: 5,
  leaseMs: 60_000,
  checkAddresses: [],
}

export interface ProberDeps {
  readonly store: Store
  readonly egress: Egress
  readonly nowUs: () => TimestampUs
  /** Counts on while the program stands still; unset: as the machine does. */
  readonly nowMs?: () => number
  readonly log: ProbeLog
  /** Unlike every other running prober's. */
  readonly name: string
  /** Whether another prober, by its name, has ended: its hosts are given back at once. Otherwise their leases end. */
  readonly isEnded?: (name: string) => boolean
  /** Told of every probe as soon as it is over, before it is saved. */
  readonly onProbe?: (seen: Probed) => void
  /** Told once of an address that many seller hosts lead to. */
  readonly onCrowd?: (address: string) => void
  /** Told when a host's turn is over. */
  readonly onVisit?: (visited: Visited) => void
}
