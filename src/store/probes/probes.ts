import { sql } from 'kysely'
import type { Challenge } from '../../domain/challenge.ts'
import { continueRun } from '../../domain/now/run.ts'
import { continueSights, isNamed, NO_SIGHTS, type RouteSights, type SightEntry } from '../../domain/now/sights.ts'
import { NO_VANTAGE, type Shield, type Vantage } from '../../domain/now/vantage.ts'
import type { ProbeEntry } from '../../domain/probe.ts'
import type { HostTransaction } from '../hosts/host-transaction.ts'
import type { Placement } from '../hosts/outbox.ts'
import { type Placed, type RouteId, type RouteRef, routeText } from '../hosts/route-ref.ts'
import type { Writer } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { saveChallenges } from './challenges.ts'
import type { Newest, NewestByRoute } from './newest.ts'
import { NO_STATUS, statusIn } from './no-status.ts'
import { probeText } from './probe-record.ts'
import { type RunColumns, refreshRuns, runColumns } from './runs.ts'
import { shieldIn, shieldNumber, sightsText } from './sight-rows.ts'
import { refreshSights } from './sights.ts'

export interface Timings {
  readonly dnsMs: number | null
  readonly connectMs: number | null
  readonly tlsMs: number | null
  readonly firstByteMs: number | null
}

/** An observation: what one probe saw. The same route, time, status and latency are the same entry. */
export interface ProbeInput extends RouteRef, ProbeEntry {
  readonly challenge: Challenge | null
  readonly timings: Timings | null
  readonly remoteAddress: string | null
  /** From where it was looked at; `null`: the prober has no name. */
  readonly vantage: Vantage | null
  /** Whose challenge page came instead of the seller's answer. */
  readonly shield: Shield | null
}

const COLUMNS = {
  host_id: 'int',
  route_id: 'int',
  at_us: 'int',
  status: 'int',
  latency_ms: 'int',
  error: 'text',
  challenge_id: 'int',
  dns_ms: 'int',
  connect_ms: 'int',
  tls_ms: 'int',
  first_byte_ms: 'int',
  remote_address: 'text',
  log_id: 'int',
  vantage_id: 'int',
  shield: 'int',
} as const

interface Inserted {
  host_id: number
  route_id: number
  at_us: number
  status: number
  latency_ms: number
  challenge_id: number | null
  shield: number | null
}

/**
 * Appends entries and counts exactly those that were not there yet, so that saving a batch again changes nothing.
 * Answers what was new of each route.
 */
export async function appendProbes(
  transaction: HostTransaction,
  inputs: readonly Placed<ProbeInput>[],
  before: NewestByRoute,
  vantages: ReadonlyMap<Vantage, number>,
): Promise<Appended[]> {
  if (inputs.length === 0) return []
  const { writer, dialect, counts } = transaction
  const keys = await saveChallenges(writer, dialect, inputs)
  const entries = distinct(inputs)
  await transaction.log.reserve(entries.size)
  const logged = new Map(
    [...entries].map(([key, entry]) => [key, transaction.log.place(entry.at.hostId, probeText(entry))]),
  )
  const rows = rowsOf(entries, keys, logged, vantages)
  const names = sql.join(Object.keys(COLUMNS).map((name) => sql.ref(name)))
  const inserted = await sql<Inserted>`insert into probes (${names})
    select ${names} from ${dialect.hostRows(COLUMNS, rows)} as v where true
    on conflict do nothing returning host_id, route_id, at_us, status, latency_ms, challenge_id, shield`.execute(writer)
  const routes = new Map<string, Appended>()
  for (const row of inserted.rows) {
    const key = keyText(row.host_id, row.route_id, row.at_us, row.status, row.latency_ms)
    const placement = logged.get(key)
    if (placement !== undefined) transaction.log.keep(placement)
    counts.probe(row.host_id, statusIn(row.status), row.at_us, row.latency_ms)
    count(routes, row, entries.get(key)?.vantage ?? NO_VANTAGE)
  }
  const late: Appended[] = []
  const turned: Appended[] = []
  for (const [key, totals] of routes) {
    const known = before.get(key)
    const after = stateAfter(known, totals.entries)
    const isLate = known !== undefined && totals.entries.some(({ atUs }) => atUs <= known.atUs)
    if (isLate) late.push(totals)
    else {
      totals.run = runColumns(after.run)
      totals.sights = sightsText(after.sights)
      totals.after = after
    }
    if (isLate || after.run?.sinceUs !== known?.run?.sinceUs) turned.push(totals)
  }
  await saveTotals(writer, dialect, [...routes.values()])
  await refreshRuns(writer, dialect, late)
  await refreshSights(
    writer,
    dialect,
    late.filter((route) => isSeenFrom(before.get(routeText(route)), route.entries)),
  )
  transaction.changed(turned)
  return [...routes.values()]
}

const isSeenFrom = (known: Newest | undefined, entries: readonly SightEntry[]): boolean =>
  entries.some(isNamed) || (known?.sights.some(isNamed) ?? false)

/** After entries that are newer than all before. Where nobody says from where, the run is all there is. */
const stateAfter = (known: Newest | undefined, entries: readonly SightEntry[]): RouteSights =>
  isSeenFrom(known, entries)
    ? continueSights(known ?? NO_SIGHTS, entries)
    : { run: continueRun(known?.run ?? null, entries), sights: [] }

const keyText = (hostId: number, routeId: number, atUs: number, status: number, latencyMs: number): string =>
  `${hostId}/${routeId}/${atUs}/${status}/${latencyMs}`

type Entries = ReadonlyMap<string, Placed<ProbeInput>>

/** The same entry said twice is one. */
function distinct(inputs: readonly Placed<ProbeInput>[]): Entries {
  const entries = new Map<string, Placed<ProbeInput>>()
  for (const input of inputs) {
    const { at, atUs, httpStatus, latencyMs } = input
    const key = keyText(at.hostId, at.routeId, atUs, httpStatus ?? NO_STATUS, latencyMs)
    if (!entries.has(key)) entries.set(key, input)
  }
  return entries
}

function rowsOf(
  entries: Entries,
  keys: ReadonlyMap<Challenge, number>,
  logged: ReadonlyMap<string, Placement>,
  vantages: ReadonlyMap<Vantage, number>,
): Row[] {
  const rows = [...entries].map(
    ([key, { at, atUs, httpStatus, latencyMs, error, challenge, timings, remoteAddress, vantage, shield }]): Row => {
      const { dnsMs = null, connectMs = null, tlsMs = null, firstByteMs = null } = timings ?? {}
      const challengeId = challenge && (keys.get(challenge) ?? null)
      const seen = [at.hostId, at.routeId, atUs, httpStatus ?? NO_STATUS, latencyMs, error, challengeId]
      const from = [vantage && (vantages.get(vantage) ?? null), shieldNumber(shield)]
      return [...seen, dnsMs, connectMs, tlsMs, firstByteMs, remoteAddress, logged.get(key)?.id ?? null, ...from]
    },
  )
  return rows.sort((a, b) => Number(a[0]) - Number(b[0]) || Number(a[1]) - Number(b[1]) || Number(a[2]) - Number(b[2]))
}

/** What a batch adds to a route. */
export interface RouteTotals extends RouteId {
  n: number
  newestUs: number
  challengeUs: number | null
  challengeId: number | null
  /** `null` leaves the stored one as it is: it is found anew from the entries. */
  run: RunColumns | null
  /** Like `run`; also `null` where no entry names a vantage. */
  sights: string | null
}

/** What was new of a batch. */
export interface Appended extends RouteTotals {
  readonly entries: SightEntry[]
  /** What is true of the route then; `null` where entries came late. */
  after: RouteSights | null
}

function count(routes: Map<string, Appended>, row: Inserted, vantage: Vantage): void {
  const key = routeText({ hostId: row.host_id, routeId: row.route_id })
  let totals = routes.get(key)
  if (!totals) {
    totals = {
      hostId: row.host_id,
      routeId: row.route_id,
      n: 0,
      newestUs: row.at_us,
      challengeUs: null,
      challengeId: null,
      run: null,
      sights: null,
      entries: [],
      after: null,
    }
    routes.set(key, totals)
  }
  totals.n += 1
  totals.entries.push({ vantage, atUs: row.at_us, httpStatus: statusIn(row.status), shield: shieldIn(row.shield) })
  totals.newestUs = Math.max(totals.newestUs, row.at_us)
  if (row.challenge_id === null) return
  const newer = row.at_us - (totals.challengeUs ?? -1) || row.challenge_id - (totals.challengeId ?? -1)
  if (newer > 0) {
    totals.challengeUs = row.at_us
    totals.challengeId = row.challenge_id
  }
}

const TOTALS = {
  host_id: 'int',
  route_id: 'int',
  n: 'int',
  newest: 'int',
  c_us: 'int',
  c_id: 'int',
  now_status: 'int',
  now_since: 'int',
  last_402: 'int',
  sights: 'text',
} as const

/** Of two challenges of one moment the greater key is the newest, so that any order of arrival gives the same state. */
export async function saveTotals(writer: Writer, dialect: Dialect, routes: readonly RouteTotals[]): Promise<void> {
  if (routes.length === 0) return
  const rows = routes.map((r): Row => {
    const { now_status, now_since_us, last_402_us } = r.run ?? runColumns(null)
    const newest = [r.newestUs, r.challengeUs, r.challengeId]
    return [r.hostId, r.routeId, r.n, ...newest, now_status, now_since_us, last_402_us, r.sights]
  })
  const newer = sql`excluded.challenge_us is not null and (route_state.challenge_us is null
    or excluded.challenge_us > route_state.challenge_us
    or (excluded.challenge_us = route_state.challenge_us and excluded.challenge_id > route_state.challenge_id))`
  const greatest = (name: string) => dialect.greatest(sql.ref(`route_state.${name}`), sql.ref(`excluded.${name}`))
  await sql`insert into route_state (host_id, route_id, probe_status, probes, newest_probe_us, challenge_us,
      challenge_id, now_status, now_since_us, last_402_us, sights, reviews)
    select host_id, route_id, 'unverified', n, newest, c_us, c_id, now_status, now_since, last_402, sights, 0
    from ${dialect.hostRows(TOTALS, rows)} as v where true
    on conflict (host_id, route_id) do update set
      probes = route_state.probes + excluded.probes,
      newest_probe_us = ${greatest('newest_probe_us')},
      challenge_id = case when ${newer} then excluded.challenge_id else route_state.challenge_id end,
      challenge_us = case when ${newer} then excluded.challenge_us else route_state.challenge_us end,
      now_status = coalesce(excluded.now_status, route_state.now_status),
      now_since_us = coalesce(excluded.now_since_us, route_state.now_since_us),
      last_402_us = ${greatest('last_402_us')},
      sights = coalesce(excluded.sights, route_state.sights)`.execute(writer)
}
