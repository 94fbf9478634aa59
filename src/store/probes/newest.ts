import { sql } from 'kysely'
import type { Run } from '../../domain/now/run.ts'
import type { Sight } from '../../domain/now/sights.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { type RouteId, routeText } from '../hosts/route-ref.ts'
import { leftOutOf } from '../hosts/summaries.ts'
import type { JsonText, Reader, SightRow } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { type JsonRows, rowReader } from '../sql/json-rows.ts'
import { RowsStatement } from '../sql/rows-statement.ts'
import { KEPT_SINCE } from './retention.ts'
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
  /** Whether its host counts it among the routes of its class. */
  readonly isCounted: boolean
}

/** By route: those that have an entry. */
export type NewestByRoute = ReadonlyMap<string, Newest>

export interface Before {
  /** Entries from here on are kept; `null`: all are. */
  readonly keptSinceUs: TimestampUs | null
  readonly routes: NewestByRoute
}

const COLUMNS = {
  host_id: 'value',
  route_id: 'value',
  at_us: 'value',
  challenge_id: 'value',
  now_status: 'value',
  now_since_us: 'value',
  last_402_us: 'value',
  probes: 'value',
  sights: 'value',
  is_counted: 'value',
} as const

interface StateRow extends RunColumns {
  readonly host_id: number
  readonly route_id: number
  readonly at_us: number
  readonly challenge_id: number | null
  readonly probes: number
  readonly sights: JsonText<SightRow[]> | null
  readonly is_counted: number
}

const readStates = rowReader<StateRow>(COLUMNS)

/**
 * Asks for each route's newest entry, its run and its newest challenge, before a batch is appended, and goes on as soon as
 * that is asked. As one text: rows cost more.
 */
export async function askBefore(
  reader: Reader,
  dialect: Dialect,
  probes: readonly { readonly at: RouteId; readonly route: string }[],
): Promise<() => Promise<Before>> {
  const routes = new Map(probes.map(({ at, route }): [string, Row] => [route, [at.hostId, at.routeId]]))
  if (routes.size === 0) return async () => ({ keptSinceUs: null, routes: new Map() })
  const answer = await READ.ahead(reader, dialect, [...routes.values()])
  return async () => {
    const [row] = await answer()
    return { keptSinceUs: row?.kept_us ?? null, routes: new Map(readStates(row?.states ?? '[]').map(entryOf)) }
  }
}

const READ = new RowsStatement((dialect, rows) => {
  const { joins, isNow } = leftOutOf(undefined, (column) => dialect.among(column, rows))
  const states = sql<StateRow>`select s.host_id, s.route_id, s.newest_probe_us as at_us, s.challenge_id,
      s.now_status, s.now_since_us, s.last_402_us, s.probes, s.sights,
      case when ${sql.join(isNow, sql` and `)} then 1 else 0 end as is_counted
    from ${dialect.rows({ host_id: 'int', route_id: 'int' }, rows)} as v cross join route_state as s
    ${joins}
    where s.host_id = v.host_id and s.route_id = v.route_id and s.newest_probe_us is not null
      ${dialect.among('s.host_id', rows)}`
  return sql<{ kept_us: number | null; states: JsonRows<StateRow> }>`select (${KEPT_SINCE}) as kept_us,
    ${dialect.jsonRows(COLUMNS, states)} as states`
})

const entryOf = (row: StateRow): [string, Newest] => [
  routeText({ hostId: row.host_id, routeId: row.route_id }),
  {
    atUs: row.at_us,
    run: runIn(row),
    sights: sightsBefore(row),
    challengeId: row.challenge_id,
    isCounted: row.is_counted === 1,
  },
]

const sightsBefore = (row: StateRow): readonly Sight[] =>
  row.sights === null ? unnamedSight(runIn(row), row.probes, row.at_us) : sightsIn(row.sights)
