import { sql } from 'kysely'
import type { Challenge } from '../../domain/challenge.ts'
import type { SellerHost } from '../../domain/host.ts'
import type { Run } from '../../domain/now/run.ts'
import type { Sight } from '../../domain/now/sights.ts'
import { RESULTS, type ResultCounts } from '../../domain/probe.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { HostTransaction } from '../hosts/host-transaction.ts'
import { type Placed, type RouteId, type RouteRef, routeText } from '../hosts/route-ref.ts'
import type { Writer } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { knownChallenge, saveChallenges } from './challenges.ts'
import { foldedRecord } from './probe-record.ts'
import { sayKeptSince } from './retention.ts'
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

/** Entries that were counted here one by one before they were folded elsewhere: taking the sums too would count them twice. */
const OLDER = sql`p.at_us < (select max(kept_since_us) from retention)`

/**
 * Takes over counts of entries that are no longer kept, each once: what is here already, folded or entry by entry, stays
 * as it is. Answers the routes whose newest challenge may have changed.
 */
export async function restoreFolded(
  transaction: HostTransaction,
  { keptSinceUs, folded, foldedLatency }: FoldedElsewhere,
): Promise<RouteId[]> {
  const { writer, dialect, counts: hostCounts } = transaction
  if (keptSinceUs !== null) await sayKeptSince(writer, keptSinceUs)
  await restoreLatency(transaction, foldedLatency)
  const routes = transaction.place(folded)
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
  const inserted = await sql<{ host_id: number; route_id: number }>`insert into folded_routes (${names})
    select ${names} from ${dialect.hostRows(columns, rows)} as v
    where not exists (select 1 from probes as p
      where p.host_id = v.host_id and p.route_id = v.route_id and ${OLDER})
    on conflict (host_id, route_id) do nothing returning host_id, route_id`.execute(writer)
  const isFresh = new Set(inserted.rows.map((row) => routeText({ hostId: row.host_id, routeId: row.route_id })))
  const fresh = routes.filter(({ at }) => isFresh.has(routeText(at)))
  const pending = await hostsToLog(transaction, fresh.length)
  for (const route of fresh) {
    hostCounts.folded(route.at.hostId, route.counts, route.newestUs)
    if (!pending.has(route.at.hostId)) await transaction.log.add(route.at.hostId, [foldedRecord(route)])
  }
  const totals = fresh.map((route) => totalsOf(route, keyOf(route.challenge)))
  await saveTotals(writer, dialect, totals)
  await refreshRuns(writer, dialect, totals)
  await refreshSights(writer, dialect, await seenFrom(writer, dialect, totals))
  transaction.changed(totals)
  return totals.filter(({ challengeId }) => challengeId !== null)
}

const totalsOf = (route: Placed<FoldedInput>, challengeId: number | null): RouteTotals => ({
  ...route.at,
  n: RESULTS.reduce((sum, result) => sum + route.counts[result], 0),
  newestUs: route.newestUs,
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
  if (latency.length === 0) return
  const { writer, dialect, counts } = transaction
  const rows = latency.map(({ host, latencyMs, n }): Row => [transaction.hostIdOf(host), latencyMs, n])
  const inserted = await sql<{ host_id: number; latency_ms: number; n: number }>`insert into folded_latency
      (host_id, latency_ms, n)
    select host_id, latency_ms, n from ${dialect.hostRows({ host_id: 'int', latency_ms: 'int', n: 'int' }, rows)} as v
    where not exists (select 1 from probes as p where p.host_id = v.host_id and ${OLDER})
    on conflict (host_id, latency_ms) do nothing returning host_id, latency_ms, n`.execute(writer)
  const pending = await hostsToLog(transaction, inserted.rows.length)
  const names = new Map(latency.map(({ host }) => [transaction.hostIdOf(host), host]))
  for (const row of inserted.rows) {
    counts.foldedLatency(row.host_id, row.latency_ms, row.n)
    const host = names.get(row.host_id) ?? ''
    const record = { kind: 'folded_latency', host, latency_ms: row.latency_ms, entries: row.n } as const
    if (!pending.has(row.host_id)) await transaction.log.add(row.host_id, [record])
  }
}

/** Hosts whose folded entries are logged with the rest of their history. */
async function hostsToLog({ writer }: HostTransaction, folded: number): Promise<ReadonlySet<number>> {
  const hosts = writer.selectFrom('log_history').select('host_id').where('is_again', '=', 0)
  const rows = folded === 0 ? [] : await hosts.execute()
  return new Set(rows.map(({ host_id }) => host_id))
}
