import { sql } from 'kysely'
import type { Challenge } from '../../domain/challenge.ts'
import { continueRun, type Run } from '../../domain/now/run.ts'
import { continueSights, isNamed, NO_SIGHTS, type RouteSights, type SightEntry } from '../../domain/now/sights.ts'
import { NO_VANTAGE, type Shield, type Vantage } from '../../domain/now/vantage.ts'
import { classify, type ProbeEntry } from '../../domain/probe.ts'
import type { HostCounts } from '../hosts/host-counts.ts'
import type { HostTransaction } from '../hosts/host-transaction.ts'
import { resultsIn } from '../hosts/result-columns.ts'
import { type RouteId, type RouteRef, routeText } from '../hosts/route-ref.ts'
import type { Writer } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { RowsStatement } from '../sql/rows-statement.ts'
import { knownChallenge, saveChallenges } from './challenges.ts'
import type { Newest, NewestByRoute } from './newest.ts'
import { NO_STATUS } from './no-status.ts'
import { probeText } from './probe-record.ts'
import { type RouteTotals, saveTotals } from './route-totals.ts'
import { refreshRuns, runColumns } from './runs.ts'
import { shieldNumber, sightsText } from './sight-rows.ts'
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

/** Which entries are the same. */
const KEY = { host_id: 'int', route_id: 'int', at_us: 'int', status: 'int', latency_ms: 'int' } as const

/** An entry whose route has its number. Beside it and not in it: a copy of each entry takes longer than finding its route. */
export interface PlacedProbe {
  readonly at: RouteId
  /** `routeText` of it. */
  readonly route: string
  readonly input: ProbeInput
  /** What the log says of it, once that is written. */
  text: string
}

/** Entries of one route mostly follow each other. */
export function placeProbes(transaction: HostTransaction, inputs: readonly ProbeInput[]): PlacedProbe[] {
  let last: RouteId | undefined
  let route = ''
  return inputs.map((input) => {
    const at = transaction.routeIdOf(input)
    if (at !== last) route = routeText(at)
    last = at
    return { at, route, input, text: '' }
  })
}

export function writeTexts(entries: readonly PlacedProbe[]): void {
  for (const entry of entries) entry.text = probeText(entry.input)
}

/**
 * Appends entries and counts exactly those that were not there yet, so that saving a batch again changes nothing.
 * Answers what was new of each route.
 */
export async function appendProbes(
  transaction: HostTransaction,
  inputs: readonly PlacedProbe[],
  before: NewestByRoute,
  vantages: ReadonlyMap<Vantage, number>,
): Promise<Appended[]> {
  const { writer, dialect, counts, log } = transaction
  const entries = await notYetThere(writer, dialect, distinct(inputs), before)
  if (entries.length === 0) return []
  const rows: Row[] = []
  const challenged: { readonly at: RouteId; readonly challenge: Challenge }[] = []
  for (const entry of entries) {
    const { at, route, input, text } = entry
    const { challenge } = input
    const challengeId = challengeIdOf(input)
    // The newest one of the route is stored.
    if (challenge !== null && before.get(route)?.challengeId !== challengeId) challenged.push({ at, challenge })
    const placement = log.place(at.hostId, text)
    log.keep(placement)
    rows.push(rowOf(entry, challengeId, placement.id, vantages))
  }
  await saveChallenges(writer, dialect, challenged)
  // What takes longest is begun first.
  await insertProbes(writer, dialect, rows)
  const routes = new Map<string, Appended>()
  for (const entry of entries) {
    const { httpStatus, atUs, latencyMs } = entry.input
    counts.probe(entry.at.hostId, httpStatus, atUs, latencyMs)
    count(routes, entry)
  }
  const late: Appended[] = []
  const turned: Appended[] = []
  for (const [route, totals] of routes) {
    const known = before.get(route)
    const after = stateAfter(known, totals.entries)
    const isLate = known !== undefined && totals.entries.some(({ atUs }) => atUs <= known.atUs)
    if (isLate) late.push(totals)
    else {
      totals.run = runColumns(after.run)
      totals.isSameRun = isSameRun(known?.run ?? null, after.run)
      totals.sights = sightsText(after.sights)
      totals.after = after
    }
    if (isLate || (after.run?.sinceUs !== known?.run?.sinceUs && !countTurn(counts, totals, known, after.run))) {
      turned.push(totals)
    }
  }
  await saveTotals(writer, dialect, [...routes.values()])
  await refreshRuns(writer, dialect, late)
  await refreshSights(
    writer,
    dialect,
    late.filter(({ route, entries: own }) => isSeenFrom(before.get(route), own)),
  )
  transaction.changed(turned)
  return [...routes.values()]
}

const challengeIdOf = ({ challenge }: ProbeInput): number | null => challenge && knownChallenge(challenge).id

/** Whether it is known without looking at the host's other routes how many of them are in which class now. */
function countTurn(counts: HostCounts, { hostId }: RouteId, known: Newest | undefined, after: Run | null): boolean {
  if (known === undefined || known.run === null || after === null) return false
  if (known.isCounted) counts.turn(hostId, classify(known.run.httpStatus), classify(after.httpStatus))
  return true
}

const isSameRun = (before: Run | null, after: Run | null): boolean =>
  before?.httpStatus === after?.httpStatus && before?.sinceUs === after?.sinceUs

const isSeenFrom = (known: Newest | undefined, entries: readonly SightEntry[]): boolean =>
  entries.some(isNamed) || (known?.sights.some(isNamed) ?? false)

/** After entries that are newer than all before. Where nobody says from where, the run is all there is. */
const stateAfter = (known: Newest | undefined, entries: readonly SightEntry[]): RouteSights =>
  isSeenFrom(known, entries)
    ? continueSights(known ?? NO_SIGHTS, entries)
    : { run: continueRun(known?.run ?? null, entries), sights: [] }

/** The same entry said twice is one. */
function distinct(inputs: readonly PlacedProbe[]): readonly PlacedProbe[] {
  const entries = new Map<string, PlacedProbe>()
  for (const entry of inputs) {
    const { atUs, httpStatus, latencyMs } = entry.input
    const key = `${entry.route}/${atUs}/${httpStatus ?? NO_STATUS}/${latencyMs}`
    if (!entries.has(key)) entries.set(key, entry)
  }
  return [...entries.values()]
}

/** An entry that is newer than all of its route is not there; the others are looked for. Their hosts are held. */
async function notYetThere(
  writer: Writer,
  dialect: Dialect,
  entries: readonly PlacedProbe[],
  before: NewestByRoute,
): Promise<readonly PlacedProbe[]> {
  const late = entries.filter(({ route, input }) => input.atUs <= (before.get(route)?.atUs ?? -1))
  if (late.length === 0) return entries
  const rows = late.map(({ at, input }, place): Row => {
    return [at.hostId, at.routeId, input.atUs, input.httpStatus ?? NO_STATUS, input.latencyMs, place]
  })
  const same = Object.keys(KEY).map((name) => sql`${sql.ref(`p.${name}`)} = ${sql.ref(`v.${name}`)}`)
  const found = await sql<{ place: number }>`select v.place
    from ${dialect.rows({ ...KEY, place: 'int' }, rows)} as v cross join probes as p
    where ${sql.join(same, sql` and `)} ${dialect.among(
      'p.host_id',
      late.map(({ at }) => at.hostId),
    )}`.execute(writer)
  const there = new Set(found.rows.map(({ place }) => late[place]))
  return entries.filter((entry) => !there.has(entry))
}

function rowOf(
  { at, input }: PlacedProbe,
  challengeId: number | null,
  logId: number | null,
  vantages: ReadonlyMap<Vantage, number>,
): Row {
  const { atUs, httpStatus, latencyMs, error, timings, remoteAddress, vantage, shield } = input
  const { dnsMs = null, connectMs = null, tlsMs = null, firstByteMs = null } = timings ?? {}
  return [
    at.hostId,
    at.routeId,
    atUs,
    httpStatus ?? NO_STATUS,
    latencyMs,
    error,
    challengeId,
    dnsMs,
    connectMs,
    tlsMs,
    firstByteMs,
    remoteAddress,
    logId,
    vantage && (vantages.get(vantage) ?? null),
    shieldNumber(shield),
  ]
}

/** In the order of their keys. */
async function insertProbes(writer: Writer, dialect: Dialect, rows: Row[]): Promise<void> {
  rows.sort((a, b) => Number(a[0]) - Number(b[0]) || Number(a[1]) - Number(b[1]) || Number(a[2]) - Number(b[2]))
  await INSERT.runLater(writer, dialect, rows)
}

const INSERT = new RowsStatement((dialect, rows) => {
  const names = sql.join(Object.keys(COLUMNS).map((name) => sql.ref(name)))
  return sql`insert into probes (${names}) select ${names} from ${dialect.hostRows(COLUMNS, rows)} as v where true`
})

/** What was new of a batch. */
export interface Appended extends RouteTotals {
  /** `routeText` of it. */
  readonly route: string
  readonly entries: SightEntry[]
  /** What is true of the route then; `null` where entries came late. */
  after: RouteSights | null
}

function count(routes: Map<string, Appended>, { at, route, input }: PlacedProbe): void {
  const { atUs, httpStatus, vantage, shield } = input
  let totals = routes.get(route)
  if (!totals) {
    totals = {
      hostId: at.hostId,
      routeId: at.routeId,
      route,
      n: 0,
      newestUs: atUs,
      results: 0,
      challengeUs: null,
      challengeId: null,
      run: null,
      isSameRun: false,
      sights: null,
      entries: [],
      after: null,
    }
    routes.set(route, totals)
  }
  totals.n += 1
  totals.entries.push({ vantage: vantage ?? NO_VANTAGE, atUs, httpStatus, shield })
  totals.newestUs = Math.max(totals.newestUs, atUs)
  totals.results |= resultsIn([classify(httpStatus)])
  const challengeId = challengeIdOf(input)
  if (challengeId === null) return
  const newer = atUs - (totals.challengeUs ?? -1) || challengeId - (totals.challengeId ?? -1)
  if (newer > 0) {
    totals.challengeUs = atUs
    totals.challengeId = challengeId
  }
}
