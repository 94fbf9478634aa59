import { sql } from 'kysely'
import type { Challenge } from '../../domain/challenge.ts'
import type { SellerHost } from '../../domain/host.ts'
import type { Run } from '../../domain/now/run.ts'
import type { Sight } from '../../domain/now/sights.ts'
import { type ProbeResult, RESULTS, type ResultCounts } from '../../domain/probe.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { HostTransaction } from '../hosts/host-transaction.ts'
import { RESULT_COLUMN, resultsIn } from '../hosts/result-columns.ts'
import { type Placed, type RouteId, type RouteRef, routeText } from '../hosts/route-ref.ts'
import type { FoldedRouteTable, Writer } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { knownChallenge, saveChallenges } from './challenges.ts'
import { JOINING_LATENCY, joiningFolded, RESULT_COLUMNS, RESULT_SUMS } from './folded.ts'
import { foldedRecord } from './probe-record.ts'
import { KEPT_SINCE, sayKeptSince } from './retention.ts'
import { type RouteTotals, saveTotals } from './route-totals.ts'
import { refreshRuns, runColumns } from './runs.ts'
import { sightsText } from './sight-rows.ts'
import { refreshSights } from './sights.ts'

/** What the entries of a route counted for that are no longer kept. Moves between stores; nothing else makes them. */
export interface FoldedInput extends RouteRef {
  readonly counts: ResultCounts
  readonly newestUs: TimestampUs
  readonly challenge: Challenge | null
  readonly challengeUs: TimestampUs | null
  /** `null`: folded before runs were kept. */
  readonly run: Run | null
  /** What each vantage saw, those without a name as one; nothing where none was named. */
  readonly sights: readonly Sight[]
}

/** How many entries of a host that are no longer kept took this long. */
export interface FoldedLatencyInput {
  readonly host: SellerHost
  readonly latencyMs: number
  readonly n: number
}

/** What another store folded, on its way into this one. */
export interface FoldedElsewhere {
  /** Single entries are kept from here on; `null` says nothing about it. */
  readonly keptSinceUs: TimestampUs | null
  readonly folded: readonly FoldedInput[]
  readonly foldedLatency: readonly FoldedLatencyInput[]
}

/**
 * Takes over counts of entries that are no longer kept, each once: of what another store folded, what is here already,
 * folded or entry by entry, is taken away first. So an archive and an export give the same counters in any order, and
 * however often. Answers the routes whose newest challenge may have changed.
 */
export async function restoreFolded(
  transaction: HostTransaction,
  { keptSinceUs, folded, foldedLatency }: FoldedElsewhere,
): Promise<RouteId[]> {
  const { writer, dialect, counts: hostCounts } = transaction
  if (keptSinceUs !== null) await sayKeptSince(writer, keptSinceUs)
  await restoreLatency(transaction, foldedLatency)
  const routes = await missingRoutes(transaction, folded)
  if (routes.length === 0) return []
  await saveChallenges(writer, dialect, routes)
  const keyOf = (challenge: Challenge | null): number | null => challenge && knownChallenge(challenge).id
  const columns = {
    host_id: 'int',
    route_id: 'int',
    answers: 'int',
    correct_402: 'int',
    failed: 'int',
    unreachable: 'int',
    newest_us: 'int',
    challenge_us: 'int',
    challenge_id: 'int',
    now_status: 'int',
    now_since_us: 'int',
    last_402_us: 'int',
    sights: 'text',
  } as const
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)))
  const rows = routes.map(({ at, counts, newestUs, challenge, challengeUs, run, sights }): Row => {
    const { now_status, now_since_us, last_402_us } = runColumns(run)
    const counted = RESULTS.map((result) => counts[result])
    const newest = [newestUs, challengeUs, keyOf(challenge)]
    return [at.hostId, at.routeId, ...counted, ...newest, now_status, now_since_us, last_402_us, sightsText(sights)]
  })
  const state = ['now_status', 'now_since_us', 'sights'] as const
  // Of equally new ones the other store saw at least as much.
  const isNewer = sql`excluded.newest_us >= folded_routes.newest_us`
  await sql`insert into folded_routes (${names})
    select ${names} from ${dialect.hostRows(columns, rows)} as v where true
    on conflict (host_id, route_id) do update set ${joiningFolded(dialect, state, isNewer)}`.execute(writer)
  const pending = await hostsToLog(transaction)
  for (const route of routes) {
    hostCounts.folded(route.at.hostId, route.counts, route.newestUs)
    if (!pending.has(route.at.hostId)) await transaction.log.add(route.at.hostId, [foldedRecord(route)])
  }
  const totals = routes.map((route) => totalsOf(route, keyOf(route.challenge)))
  await saveTotals(writer, dialect, totals)
  await refreshRuns(writer, dialect, totals)
  await refreshSights(writer, dialect, await seenFrom(writer, dialect, totals))
  transaction.changed(totals)
  return totals.filter(({ challengeId }) => challengeId !== null)
}

/** Of each route what is not here yet, folded or entry by entry; all that is here is read at one moment. */
async function missingRoutes(
  transaction: HostTransaction,
  folded: readonly FoldedInput[],
): Promise<Placed<FoldedInput>[]> {
  const { dialect, writer } = transaction
  const placed = transaction.place(folded).toSorted((a, b) => a.newestUs - b.newestUs)
  const newest = new Map(placed.map((route) => [routeText(route.at), route]))
  if (newest.size === 0) return []
  const asked = dialect.rows(
    { host_id: 'int', route_id: 'int', newest_us: 'int' },
    [...newest.values()].map(({ at, newestUs }): Row => [at.hostId, at.routeId, newestUs]),
  )
  const sums = sql.join(RESULT_COLUMNS.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))
  const names = sql.join(RESULT_COLUMNS.map((name) => sql.ref(`f.${name}`)))
  const here = await sql<RouteHere>`select host_id, route_id, ${sums} from (
      select p.host_id, p.route_id, ${RESULT_SUMS} from ${asked} as v cross join probes as p
        where p.host_id = v.host_id and p.route_id = v.route_id and p.at_us <= v.newest_us
        group by p.host_id, p.route_id
      union all select f.host_id, f.route_id, ${names} from ${asked} as v cross join folded_routes as f
        where f.host_id = v.host_id and f.route_id = v.route_id) as t
    group by host_id, route_id`.execute(writer)
  const hereOf = new Map(here.rows.map((row) => [routeText({ hostId: row.host_id, routeId: row.route_id }), row]))
  return [...newest].flatMap(([key, route]) => {
    const counts = without(route.counts, hereOf.get(key))
    return sumOf(counts) === 0 ? [] : [{ ...route, counts }]
  })
}

type RouteHere = Pick<FoldedRouteTable, 'host_id' | 'route_id' | (typeof RESULT_COLUMNS)[number]>

const without = (counts: ResultCounts, here: RouteHere | undefined): ResultCounts => {
  const left = (result: ProbeResult): number => Math.max(counts[result] - (here?.[RESULT_COLUMN[result]] ?? 0), 0)
  return {
    answers: left('answers'),
    '402-correct': left('402-correct'),
    failed: left('failed'),
    unreachable: left('unreachable'),
  }
}

const sumOf = (counts: ResultCounts): number => RESULTS.reduce((sum, result) => sum + counts[result], 0)

const totalsOf = (route: Placed<FoldedInput>, challengeId: number | null): RouteTotals => ({
  ...route.at,
  n: sumOf(route.counts),
  newestUs: route.newestUs,
  results: resultsIn(RESULTS.filter((result) => route.counts[result] > 0)),
  challengeUs: route.challengeUs,
  challengeId,
  run: null,
  isSameRun: false,
  sights: null,
})

/** Those of which entries name a vantage, folded or kept. */
async function seenFrom(writer: Writer, dialect: Dialect, routes: readonly RouteId[]): Promise<RouteId[]> {
  if (routes.length === 0) return []
  const rows = routes.map(({ hostId, routeId }): Row => [hostId, routeId])
  const found = await sql<{ host_id: number; route_id: number }>`select v.host_id, v.route_id
    from ${dialect.rows({ host_id: 'int', route_id: 'int' }, rows)} as v
    left join folded_routes as f on f.host_id = v.host_id and f.route_id = v.route_id
    left join route_state as s on s.host_id = v.host_id and s.route_id = v.route_id
    where f.sights is not null or s.sights is not null`.execute(writer)
  return found.rows.map(({ host_id, route_id }) => ({ hostId: host_id, routeId: route_id }))
}

async function restoreLatency(transaction: HostTransaction, latency: readonly FoldedLatencyInput[]): Promise<void> {
  const { writer, dialect, counts } = transaction
  const missing = await missingLatency(transaction, latency)
  if (missing.length === 0) return
  const rows = missing.map(({ host, latencyMs, n }): Row => [transaction.hostIdOf(host), latencyMs, n])
  await sql`insert into folded_latency (host_id, latency_ms, n)
    select host_id, latency_ms, n from ${dialect.hostRows({ host_id: 'int', latency_ms: 'int', n: 'int' }, rows)} as v
    where true ${JOINING_LATENCY}`.execute(writer)
  const pending = await hostsToLog(transaction)
  for (const { host, latencyMs, n } of missing) {
    const hostId = transaction.hostIdOf(host)
    counts.foldedLatency(hostId, latencyMs, n)
    const record = { kind: 'folded_latency', host, latency_ms: latencyMs, entries: n } as const
    if (!pending.has(hostId)) await transaction.log.add(hostId, [record])
  }
}

/** Like `missingRoutes`; of a host's entries those count that are older than what is kept. */
async function missingLatency(
  transaction: HostTransaction,
  latency: readonly FoldedLatencyInput[],
): Promise<FoldedLatencyInput[]> {
  const keyOf = (hostId: number, latencyMs: number): string => `${hostId}/${latencyMs}`
  const most = new Map(
    latency
      .toSorted((a, b) => a.n - b.n)
      .map((input) => [keyOf(transaction.hostIdOf(input.host), input.latencyMs), input]),
  )
  if (most.size === 0) return []
  const hostIds = [...new Set(latency.map(({ host }) => transaction.hostIdOf(host)))]
  const asked = transaction.dialect.rows(
    { host_id: 'int' },
    hostIds.map((hostId): Row => [hostId]),
  )
  const here = await sql<{ host_id: number; latency_ms: number; n: number }>`select host_id, latency_ms, sum(n) as n
    from (select p.host_id, p.latency_ms, count(*) as n from ${asked} as v cross join probes as p
        where p.host_id = v.host_id and p.at_us < (${KEPT_SINCE}) group by p.host_id, p.latency_ms
      union all select f.host_id, f.latency_ms, f.n from ${asked} as v cross join folded_latency as f
        where f.host_id = v.host_id) as t
    group by host_id, latency_ms`.execute(transaction.writer)
  const hereOf = new Map(here.rows.map((row) => [keyOf(row.host_id, row.latency_ms), row.n]))
  return [...most].flatMap(([key, input]) => {
    const n = input.n - (hereOf.get(key) ?? 0)
    return n > 0 ? [{ ...input, n }] : []
  })
}

/** Hosts whose folded entries are logged with the rest of their history. */
async function hostsToLog({ writer }: HostTransaction): Promise<ReadonlySet<number>> {
  const hosts = writer.selectFrom('log_history').select('host_id').where('is_again', '=', 0)
  return new Set((await hosts.execute()).map(({ host_id }) => host_id))
}
