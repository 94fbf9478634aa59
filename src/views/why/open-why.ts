import { NO_VANTAGE, type Vantage } from '../../domain/now/vantage.ts'
import { classify } from '../../domain/probe.ts'
import { addressOf, isTemplate, METHODS } from '../../domain/route.ts'
import { templateFits } from '../../domain/template.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { readDocumentsOf } from '../../store/facts/refusals.ts'
import { findHostId } from '../../store/host-id.ts'
import { readSourcesOfHost } from '../../store/pages/read-listing-history.ts'
import {
  readHostTurns,
  readRefusalsNaming,
  readScheduledRoutes,
  type ScheduledRouteRow,
  type TurnRow,
} from '../../store/pages/read-why.ts'
import { statusIn } from '../../store/probes/no-status.ts'
import { NO_VANTAGE_ID } from '../../store/probes/vantages.ts'
import { GIVEN_UP_US } from '../../store/schedule/overdue.ts'
import type { Store } from '../../store/store.ts'
import { namedBy } from '../host/open-listing-history.ts'
import {
  HOLDS,
  type Hold,
  type ProbeRules,
  type VantageHold,
  type WhyAsked,
  type WhyRoute,
  type WhyView,
} from './why-view.ts'

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
  const turns = workedOn(await readHostTurns(store.read, hostId), nowUs)
  const looks = turns.length === 0 ? [NO_LOOK] : turns.map((turn) => lookOf(turn, nowUs))
  const most = path === null ? MOST_ROUTES + 1 : MOST_CANDIDATES
  const [sources, rows] = await Promise.all([
    readSourcesOfHost(store.read, hostId),
    readScheduledRoutes(
      store,
      hostId,
      looks.map(({ vantageId }) => vantageId),
      path,
      most,
    ),
  ])
  const standing: Standing = {
    ...{ host, rules, looks, isOptedOut: rules.isOptedOut(host) },
    pauseUntilUs: earliest(looks.map((look) => look.pauseUntilUs)),
    visitUntilUs: earliest(looks.map((look) => look.visitUntilUs)),
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

/** How one vantage stands with the host. */
interface Look extends Pick<WhyView, 'pauseUntilUs' | 'visitUntilUs'> {
  readonly vantageId: number
  readonly vantage: Vantage
  readonly robots: string | null
}

interface Standing extends Pick<WhyView, 'host' | 'pauseUntilUs' | 'visitUntilUs'> {
  readonly rules: ProbeRules
  readonly looks: readonly Look[]
  readonly isOptedOut: boolean
}

const NO_LOOK: Look = {
  ...{ vantageId: NO_VANTAGE_ID, vantage: NO_VANTAGE, robots: null, pauseUntilUs: null, visitUntilUs: null },
}

/** By this host alone: the turn of a vantage that is given up has been due for long, while those of others were taken. */
function workedOn(turns: readonly TurnRow[], nowUs: TimestampUs): readonly TurnRow[] {
  const latestUs = Math.min(nowUs, Math.max(...turns.map(({ due_us }) => due_us ?? 0)))
  return turns.filter(({ due_us }) => (due_us ?? 0) >= latestUs - GIVEN_UP_US)
}

const lookOf = (turn: TurnRow, nowUs: TimestampUs): Look => ({
  ...{ vantageId: turn.vantage_id, vantage: turn.vantage, robots: turn.robots },
  pauseUntilUs: later(turn.not_before_us, nowUs),
  visitUntilUs: turn.lease_by === null ? null : later(turn.due_us, nowUs),
})

const later = (us: TimestampUs | null, nowUs: TimestampUs): TimestampUs | null =>
  us !== null && us > nowUs ? us : null

/** `null` where one of them is: somebody waits for nothing. */
const earliest = (all: readonly (TimestampUs | null)[]): TimestampUs | null =>
  all.reduce((a, b) => (a === null || b === null ? null : Math.min(a, b)))

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
    partly: isNever ? [] : partlyOf(row, standing, holds),
    sources: row.sources.map(namedBy),
    last: lastOf(row),
    nextUs: isNever ? null : nextOf(row, standing),
  }
}

const isForbidden = ({ scheme, path }: ScheduledRouteRow, { rules }: Standing, { robots }: Look): boolean =>
  !rules.isAllowed(robots, scheme, path)

/** From whichever vantage is the first; one that robots.txt keeps away is counted only where all are. */
function nextOf(row: ScheduledRouteRow, standing: Standing): TimestampUs | null {
  const { looks } = standing
  const free = looks.filter((look) => !isForbidden(row, standing, look))
  const next = (free.length === 0 ? looks : free).flatMap(({ vantageId, pauseUntilUs }) => {
    const dueUs = row.places.find((place) => place.vantage_id === vantageId)?.due_us ?? null
    return dueUs === null ? [] : [Math.max(dueUs, pauseUntilUs ?? 0)]
  })
  return next.length === 0 ? null : Math.min(...next)
}

/** Its newest entry, whoever looked; where that is not kept, what the schedules know of it. */
function lastOf({ newest_us, newest_status, places }: ScheduledRouteRow): WhyRoute['last'] {
  if (newest_us !== null && newest_status !== null) {
    return { atUs: newest_us, result: classify(statusIn(newest_status)) }
  }
  const known = places.flatMap(({ probed_us, last_result }) =>
    probed_us === null || last_result === null ? [] : [{ atUs: probed_us, result: last_result }],
  )
  return known.toSorted((a, b) => b.atUs - a.atUs)[0] ?? null
}

function holdsOf(row: ScheduledRouteRow, standing: Standing): Hold[] {
  const { method, path } = row
  const { rules, looks, isOptedOut, pauseUntilUs, visitUntilUs } = standing
  const never = { template: isTemplate(path), method: !rules.methods.includes(method), opted_out: isOptedOut }
  const found: Readonly<Record<Hold, boolean>> = {
    ...never,
    robots: looks.every((look) => isForbidden(row, standing, look)),
    pause: pauseUntilUs !== null,
    visit: visitUntilUs !== null,
    // What is never probed waits for no prober.
    unscheduled: row.places.length === 0 && !Object.values(never).includes(true),
    retired: row.is_retired === 1,
    unlisted: row.is_unlisted === 1,
  }
  return HOLDS.filter((hold) => found[hold])
}

/** What holds back some vantages, and not all of them. */
const partlyOf = (row: ScheduledRouteRow, standing: Standing, holds: readonly Hold[]): VantageHold[] =>
  standing.looks
    .flatMap((look): VantageHold[] => {
      const { vantage, pauseUntilUs, visitUntilUs } = look
      return [
        ...(isForbidden(row, standing, look) ? [{ vantage, hold: 'robots', untilUs: null } as const] : []),
        ...(pauseUntilUs === null ? [] : [{ vantage, hold: 'pause', untilUs: pauseUntilUs } as const]),
        ...(visitUntilUs === null ? [] : [{ vantage, hold: 'visit', untilUs: visitUntilUs } as const]),
      ]
    })
    .filter(({ hold }) => !holds.includes(hold))
