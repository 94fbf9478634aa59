import { classify } from '../../domain/probe.ts'
import { addressOf, isTemplate, METHODS } from '../../domain/route.ts'
import { templateFits } from '../../domain/template.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { readDocumentsOf } from '../../store/facts/refusals.ts'
import { findHostId } from '../../store/host-id.ts'
import { readSourcesOfHost } from '../../store/pages/read-listing-history.ts'
import {
  readRefusalsNaming,
  readScheduledRoutes,
  readTurn,
  type ScheduledRouteRow,
} from '../../store/pages/read-why.ts'
import { statusIn } from '../../store/probes/no-status.ts'
import { NO_VANTAGE_ID } from '../../store/probes/vantages.ts'
import type { Store } from '../../store/store.ts'
import { namedBy } from '../host/open-listing-history.ts'
import { HOLDS, type Hold, type ProbeRules, type WhyAsked, type WhyRoute, type WhyView } from './why-view.ts'

/** Of a directory that calls everybody. */
export const NO_RULES: ProbeRules = { methods: METHODS, isOptedOut: () => false, isAllowed: () => true }

const MOST_ROUTES = 50
const MOST_REFUSED = 50
/** Templates of one host that may stand for a path. */
const MOST_CANDIDATES = 5000

/** Also of a host that nobody has named: that is an answer too. */
export async function whyOf(
  store: Store,
  { host, path }: WhyAsked,
  rules: ProbeRules,
  nowUs: TimestampUs,
): Promise<WhyView> {
  const [hostId, refused, kept] = await Promise.all([
    findHostId(store.read, host),
    readRefusalsNaming(store.read, host, MOST_REFUSED),
    readDocumentsOf(store.read, host),
  ])
  const documents = kept.map(({ host: _host, ...document }) => document)
  const asked = { host, path, nowUs, methods: rules.methods, refused, documents }
  const never = { sources: [], pauseUntilUs: null, visitUntilUs: null, routes: [], isCut: false }
  if (hostId === undefined) return { ...asked, ...never }
  const turn = await readTurn(store.read, hostId)
  const most = path === null ? MOST_ROUTES + 1 : MOST_CANDIDATES
  const [sources, rows] = await Promise.all([
    readSourcesOfHost(store.read, hostId),
    readScheduledRoutes(store, hostId, turn?.vantage_id ?? NO_VANTAGE_ID, path, most),
  ])
  const standing: Standing = {
    ...{ host, nowUs, rules, robots: turn?.robots ?? null, isOptedOut: rules.isOptedOut(host) },
    pauseUntilUs: later(turn?.not_before_us, nowUs),
    visitUntilUs: turn?.lease_by == null ? null : later(turn.due_us, nowUs),
  }
  const chosen = path === null ? rows : fitting(rows, path)
  const { pauseUntilUs, visitUntilUs } = standing
  return {
    ...asked,
    ...{ pauseUntilUs, visitUntilUs, isCut: chosen.length > MOST_ROUTES },
    sources: sources.map((row) => ({ ...namedBy(row), routes: row.routes, routesNamed: row.routes_named })),
    routes: chosen.slice(0, MOST_ROUTES).map((row) => routeOf(row, standing)),
  }
}

interface Standing extends Pick<WhyView, 'host' | 'nowUs' | 'pauseUntilUs' | 'visitUntilUs'> {
  readonly rules: ProbeRules
  readonly robots: string | null
  readonly isOptedOut: boolean
}

const later = (us: TimestampUs | null | undefined, nowUs: TimestampUs): TimestampUs | null =>
  us != null && us > nowUs ? us : null

/** Those of that very path, or else the templates that stand for it. */
function fitting(rows: readonly ScheduledRouteRow[], path: string): readonly ScheduledRouteRow[] {
  const exact = rows.filter((row) => row.path === path)
  return exact.length > 0 ? exact : rows.filter((row) => templateFits(row.path, path))
}

function routeOf(row: ScheduledRouteRow, standing: Standing): WhyRoute {
  const { scheme, method, path, rail } = row
  const holds = holdsOf(row, standing)
  const isNever = holds.includes('template') || holds.includes('method') || holds.includes('opted_out')
  return {
    ...{ scheme, method, path, rail, holds, address: addressOf(scheme, standing.host, path) },
    sources: row.sources.map(namedBy),
    last: lastOf(row),
    nextUs: isNever || row.due_us === null ? null : Math.max(row.due_us, standing.pauseUntilUs ?? 0),
  }
}

/** Its newest entry, whoever looked; where that is not kept, what the schedule knows of it. */
function lastOf({ newest_us, newest_status, probed_us, last_result }: ScheduledRouteRow): WhyRoute['last'] {
  if (newest_us !== null && newest_status !== null) {
    return { atUs: newest_us, result: classify(statusIn(newest_status)) }
  }
  return probed_us === null || last_result === null ? null : { atUs: probed_us, result: last_result }
}

function holdsOf(row: ScheduledRouteRow, standing: Standing): Hold[] {
  const { scheme, method, path } = row
  const { rules, robots, isOptedOut, pauseUntilUs, visitUntilUs } = standing
  const never = { template: isTemplate(path), method: !rules.methods.includes(method), opted_out: isOptedOut }
  const found: Readonly<Record<Hold, boolean>> = {
    ...never,
    robots: !rules.isAllowed(robots, scheme, path),
    pause: pauseUntilUs !== null,
    visit: visitUntilUs !== null,
    // What is never probed waits for no prober.
    unscheduled: row.scheduled === 0 && !Object.values(never).includes(true),
    retired: row.is_retired === 1,
    unlisted: row.is_unlisted === 1,
  }
  return HOLDS.filter((hold) => found[hold])
}
