import { type RawBuilder, sql } from 'kysely'
import { continueSights, NO_SIGHTS, type RouteSights, type SightEntry } from '../../domain/now/sights.ts'
import { NO_VANTAGE } from '../../domain/now/vantage.ts'
import { byRouteId, type RouteId, routeText } from '../hosts/route-ref.ts'
import type { FoldedRouteTable, Reader, Writer } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { groupBy } from '../sql/group.ts'
import { statusIn } from './no-status.ts'
import { runColumns, runIn } from './runs.ts'
import { shieldIn, sightsIn, sightsText, unnamedSight } from './sight-rows.ts'

/** Routes whose entries are read at once. */
const ROUTES_A_STEP = 200

/** Up to when entries count; without it all. */
export interface RouteUpTo extends RouteId {
  readonly uptoUs?: number
}

/** What is true of a route then. */
export interface SeenRoute extends RouteId {
  readonly state: RouteSights
}

interface EntryRow {
  host_id: number
  route_id: number
  at_us: number
  status: number
  shield: number | null
  vantage: string | null
}

type FoldedRow = Pick<
  FoldedRouteTable,
  | 'host_id'
  | 'route_id'
  | 'newest_us'
  | 'now_status'
  | 'now_since_us'
  | 'last_402_us'
  | 'answers'
  | 'correct_402'
  | 'failed'
  | 'unreachable'
  | 'sights'
>

/** What was folded of a route, with `kept` entries that are not newer, as the state that its newer ones go on from. */
const foldedState = (row: FoldedRow, kept: number): RouteSights => {
  const run = runIn(row)
  const entries = row.answers + row.correct_402 + row.failed + row.unreachable + kept
  return { run, sights: row.sights === null ? unnamedSight(run, entries, row.newest_us) : sightsIn(row.sights) }
}

/**
 * The states of routes that are looked at from several places, as their entries give them one after another, and what was
 * folded of those no longer kept. What is kept and not newer than the folded was counted with it.
 */
export async function* sightsOf(
  reader: Reader,
  dialect: Dialect,
  routes: readonly RouteUpTo[],
): AsyncGenerator<SeenRoute> {
  const sorted = routes.toSorted(byRouteId)
  for (let from = 0; from < sorted.length; from += ROUTES_A_STEP) {
    const step = sorted.slice(from, from + ROUTES_A_STEP)
    const asked = routeRows(dialect, step)
    const folded = await sql<FoldedRow>`select f.* from ${asked} as t cross join folded_routes as f
      where f.host_id = t.host_id and f.route_id = t.route_id`.execute(reader)
    const entries = await sql<EntryRow>`select p.host_id, p.route_id, p.at_us, p.status, p.shield, n.name as vantage
      from ${asked} as t cross join probes as p left join vantages as n on n.vantage_id = p.vantage_id
      where p.host_id = t.host_id and p.route_id = t.route_id and p.at_us <= t.upto_us
      order by p.host_id, p.route_id, p.at_us`.execute(reader)
    const foldedOf = groupBy(folded.rows, textOf)
    const entriesOf = groupBy(entries.rows, textOf)
    for (const { hostId, routeId } of step) {
      const key = routeText({ hostId, routeId })
      const [old] = foldedOf.get(key) ?? []
      const kept = entriesOf.get(key) ?? []
      const newer = kept.filter((row) => row.at_us > (old?.newest_us ?? -1))
      const before = old === undefined ? NO_SIGHTS : foldedState(old, kept.length - newer.length)
      yield { hostId, routeId, state: continueSights(before, newer.map(entryOf)) }
    }
  }
}

const textOf = ({ host_id, route_id }: { readonly host_id: number; readonly route_id: number }): string =>
  routeText({ hostId: host_id, routeId: route_id })

const entryOf = (row: EntryRow): SightEntry => ({
  vantage: row.vantage ?? NO_VANTAGE,
  atUs: row.at_us,
  httpStatus: statusIn(row.status),
  shield: shieldIn(row.shield),
})

const routeRows = (dialect: Dialect, routes: readonly RouteUpTo[]): RawBuilder<unknown> =>
  dialect.rows(
    { host_id: 'int', route_id: 'int', upto_us: 'int' },
    routes.map(({ hostId, routeId, uptoUs = Number.MAX_SAFE_INTEGER }): Row => [hostId, routeId, uptoUs]),
  )

/** Finds the states of these routes anew, where entries came that are not newer than all before. */
export async function refreshSights(writer: Writer, dialect: Dialect, routes: readonly RouteId[]): Promise<void> {
  await setSights(writer, dialect, 'route_state', sightsOf(writer, dialect, routes))
}

export async function setSights(
  writer: Writer,
  dialect: Dialect,
  table: 'route_state' | 'folded_routes',
  found: AsyncIterable<SeenRoute> | Iterable<SeenRoute>,
): Promise<void> {
  const rows: Row[] = []
  for await (const { hostId, routeId, state } of found) {
    const { now_status, now_since_us, last_402_us } = runColumns(state.run)
    rows.push([hostId, routeId, now_status, now_since_us, last_402_us, sightsText(state.sights)])
  }
  if (rows.length === 0) return
  const columns = {
    host_id: 'int',
    route_id: 'int',
    now_status: 'int',
    now_since_us: 'int',
    last_402_us: 'int',
    sights: 'text',
  } as const
  const name = sql.table(table)
  await sql`update ${name} set now_status = v.now_status, now_since_us = v.now_since_us, last_402_us = v.last_402_us,
      sights = v.sights
    from ${dialect.rows(columns, rows)} as v
    where ${name}.host_id = v.host_id and ${name}.route_id = v.route_id`.execute(writer)
}
