import { sql } from 'kysely'
import type { Run } from '../../domain/now/run.ts'
import type { Sight } from '../../domain/now/sights.ts'
import { type RouteId, routeText } from '../hosts/route-ref.ts'
import type { JsonText, Reader, SightRow } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { type RunColumns, runIn } from './runs.ts'
import { sightsIn, unnamedSight } from './sight-rows.ts'

/** What is stored of a route before a batch is appended. */
export interface Newest {
  readonly atUs: number
  /** `null`: not known, of entries that are no longer kept. */
  readonly run: Run | null
  /** What each vantage saw; those without a name are one. */
  readonly sights: readonly Sight[]
  readonly challengeId: number | null
}

/** By route: those that have an entry. */
export type NewestByRoute = ReadonlyMap<string, Newest>

interface StateRow extends RunColumns {
  readonly host_id: number
  readonly route_id: number
  readonly at_us: number
  readonly challenge_id: number | null
  readonly probes: number
  readonly sights: JsonText<SightRow[]> | null
}

/** Each route's newest entry, its run and its newest challenge, before a batch is appended. */
export async function newestEntries(
  reader: Reader,
  dialect: Dialect,
  probes: readonly { readonly at: RouteId }[],
): Promise<NewestByRoute> {
  const routes = new Map(probes.map(({ at }): [string, Row] => [routeText(at), [at.hostId, at.routeId]]))
  if (routes.size === 0) return new Map()
  const found = await sql<StateRow>`select s.host_id, s.route_id, s.newest_probe_us as at_us, s.challenge_id,
      s.now_status, s.now_since_us, s.last_402_us, s.probes, s.sights
    from ${dialect.rows({ host_id: 'int', route_id: 'int' }, [...routes.values()])} as v cross join route_state as s
    where s.host_id = v.host_id and s.route_id = v.route_id and s.newest_probe_us is not null
      ${dialect.among(
        's.host_id',
        probes.map(({ at }) => at.hostId),
      )}`.execute(reader)
  return new Map(
    found.rows.map((row) => [
      routeText({ hostId: row.host_id, routeId: row.route_id }),
      { atUs: row.at_us, run: runIn(row), sights: sightsBefore(row), challengeId: row.challenge_id },
    ]),
  )
}

const sightsBefore = (row: StateRow): readonly Sight[] =>
  row.sights === null ? unnamedSight(runIn(row), row.probes, row.at_us) : sightsIn(row.sights)
