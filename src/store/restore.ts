import { sql } from 'kysely'
import type { Challenge } from '../domain/challenge.ts'
import { RESULTS } from '../domain/probe.ts'
import type { TimestampUs } from '../domain/timestamp.ts'
import type { Deltas } from './deltas.ts'
import type { Dialect, Row } from './dialect.ts'
import type { FoldedInput, FoldedLatencyInput } from './evidence.ts'
import type { RouteId } from './hosts.ts'
import { type RouteTotals, saveChallenges, saveTotals } from './probes.ts'
import { sayKeptSince } from './retention.ts'
import type { Writer } from './schema.ts'

/** What another store folded, on its way into this one. */
export interface Restored {
  readonly keptSinceUs: TimestampUs | null
  readonly routes: readonly (FoldedInput & { readonly at: RouteId })[]
  readonly latency: readonly (FoldedLatencyInput & { readonly hostId: number })[]
}

/** Entries that were counted here one by one before they were folded elsewhere: taking the sums too would count them twice. */
const OLDER = sql`p.at_us < (select max(kept_since_us) from retention)`

/**
 * Takes over counts of entries that are no longer kept, each once: what is here already, folded or entry by entry, stays
 * as it is. Answers the routes whose newest challenge may have changed.
 */
export async function restoreFolded(
  writer: Writer,
  dialect: Dialect,
  deltas: Deltas,
  { keptSinceUs, routes, latency }: Restored,
): Promise<RouteId[]> {
  if (keptSinceUs !== null) await sayKeptSince(writer, keptSinceUs)
  await restoreLatency(writer, dialect, deltas, latency)
  if (routes.length === 0) return []
  const keys = await saveChallenges(writer, dialect, routes)
  const keyOf = (challenge: Challenge | null): number | null => challenge && (keys.get(challenge) ?? null)
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
  } as const
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)))
  const rows = routes.map(
    ({ at, counts, newestUs, challenge, challengeUs }): Row => [
      at.hostId,
      at.routeId,
      ...RESULTS.map((result) => counts[result]),
      newestUs,
      challengeUs,
      keyOf(challenge),
    ],
  )
  const inserted = await sql<{ host_id: number; route_id: number }>`insert into folded_routes (${names})
    select ${names} from ${dialect.rows(columns, rows)} as v
    where not exists (select 1 from probes as p
      where p.host_id = v.host_id and p.route_id = v.route_id and ${OLDER})
    on conflict (host_id, route_id) do nothing returning host_id, route_id`.execute(writer)
  const fresh = new Set(inserted.rows.map((row) => `${row.host_id}/${row.route_id}`))
  const totals = routes
    .filter(({ at }) => fresh.has(`${at.hostId}/${at.routeId}`))
    .map((route) => totalsOf(route, keyOf(route.challenge)))
  for (const { at, counts, newestUs } of routes) {
    if (fresh.has(`${at.hostId}/${at.routeId}`)) deltas.folded(at.hostId, counts, newestUs)
  }
  await saveTotals(writer, dialect, totals)
  return totals.filter(({ challengeId }) => challengeId !== null)
}

const totalsOf = (route: FoldedInput & { readonly at: RouteId }, challengeId: number | null): RouteTotals => ({
  ...route.at,
  n: RESULTS.reduce((sum, result) => sum + route.counts[result], 0),
  newestUs: route.newestUs,
  challengeUs: route.challengeUs,
  challengeId,
})

async function restoreLatency(
  writer: Writer,
  dialect: Dialect,
  deltas: Deltas,
  latency: Restored['latency'],
): Promise<void> {
  if (latency.length === 0) return
  const rows = latency.map(({ hostId, latencyMs, n }): Row => [hostId, latencyMs, n])
  const inserted = await sql<{ host_id: number; latency_ms: number; n: number }>`insert into folded_latency
      (host_id, latency_ms, n)
    select host_id, latency_ms, n from ${dialect.rows({ host_id: 'int', latency_ms: 'int', n: 'int' }, rows)} as v
    where not exists (select 1 from probes as p where p.host_id = v.host_id and ${OLDER})
    on conflict (host_id, latency_ms) do nothing returning host_id, latency_ms, n`.execute(writer)
  for (const row of inserted.rows) deltas.foldedLatency(row.host_id, row.latency_ms, row.n)
}
