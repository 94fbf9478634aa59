import { type RawBuilder, sql } from 'kysely'
import type { Run } from '../../domain/now/run.ts'
import { byRouteId, hostIdsOf, type RouteId } from '../hosts/route-ref.ts'
import type { Writer } from '../schema.ts'
import { type Among, ANY, type Dialect, type Row } from '../sql/dialect.ts'
import { NO_STATUS, statusIn } from './no-status.ts'
import { rankOf } from './run-rank.ts'

/** How a run stands in `route_state` and `folded_routes`; all null: nothing is known of one. */
export interface RunColumns {
  readonly now_status: number | null
  readonly now_since_us: number | null
  readonly last_402_us: number | null
}

export const runIn = ({ now_status, now_since_us, last_402_us }: RunColumns): Run | null =>
  now_status === null || now_since_us === null
    ? null
    : { httpStatus: statusIn(now_status), sinceUs: now_since_us, last402Us: last_402_us }

export const runColumns = (run: Run | null): RunColumns => ({
  now_status: run && (run.httpStatus ?? NO_STATUS),
  now_since_us: run?.sinceUs ?? null,
  last_402_us: run?.last402Us ?? null,
})

/**
 * The runs of routes as their entries give them, and what was folded of those no longer kept: a table of `host_id`,
 * `route_id` and the columns of a run. `routes` has the first two and `upto_us`, up to which entries count. Folded entries
 * are older than all that are kept, so whatever is kept and not newer than them was counted with them.
 */
export function runsOf(dialect: Dialect, routes: RawBuilder<unknown>, among: Among = ANY): RawBuilder<unknown> {
  const ofRoute = sql`p.host_id = t.host_id and p.route_id = t.route_id and p.at_us <= t.upto_us ${among('p.host_id')}`
  const newer = sql`${ofRoute} and p.at_us > t.folded_us`
  const isLast = sql`not exists (select 1 from probes as q where q.host_id = p.host_id and q.route_id = p.route_id
    and q.at_us = p.at_us and q.status > p.status ${among('q.host_id')})`
  const known = sql`select v.host_id, v.route_id, v.upto_us, coalesce(f.newest_us, -1) as folded_us,
      f.now_status as folded_status, f.now_since_us as folded_since_us, f.last_402_us as folded_402_us
    from (${routes}) as v left join folded_routes as f on f.host_id = v.host_id and f.route_id = v.route_id
      ${among('f.host_id')}`
  const withStatus = sql`select t.*, (select p.status from probes as p where ${newer}
      order by p.at_us desc, p.status desc limit 1) as status from (${known}) as t`
  const withOther = sql`select t.*, (select p.at_us from probes as p where ${newer}
      and ${rankOf('p.status')} <> ${rankOf('t.status')} and ${isLast}
      order by p.at_us desc limit 1) as other_us from (${withStatus}) as t`
  const first = sql`(select min(p.at_us) from probes as p where ${ofRoute} and p.at_us > coalesce(t.other_us, t.folded_us))`
  const goesOn = sql`t.other_us is null and t.folded_status is not null
    and ${rankOf('t.folded_status')} = ${rankOf('t.status')}`
  return sql`select t.host_id, t.route_id, coalesce(t.status, t.folded_status) as now_status,
      case when t.status is null or (${goesOn}) then t.folded_since_us else ${first} end as now_since_us,
      ${dialect.greatest(sql`(select max(p.at_us) from probes as p where ${ofRoute} and p.status = 402)`, sql`t.folded_402_us`)} as last_402_us
    from (${withOther}) as t`
}

/** Finds the runs of these routes anew, where entries came that are not newer than all before. */
export async function refreshRuns(writer: Writer, dialect: Dialect, routes: readonly RouteId[]): Promise<void> {
  if (routes.length === 0) return
  const rows = routes.toSorted(byRouteId).map(({ hostId, routeId }): Row => [hostId, routeId])
  await setRuns(
    writer,
    dialect,
    sql`select host_id, route_id from ${dialect.hostRows({ host_id: 'int', route_id: 'int' }, rows)} as v`,
    (column) => dialect.among(column, hostIdsOf(routes)),
  )
}

/** Of routes that a query answers by `host_id` and `route_id`. */
export async function setRuns(
  writer: Writer,
  dialect: Dialect,
  routes: RawBuilder<unknown>,
  among: Among = ANY,
): Promise<void> {
  const all = sql`select host_id, route_id, ${sql.lit(Number.MAX_SAFE_INTEGER)} as upto_us from (${routes}) as a`
  await sql`update route_state set now_status = r.now_status, now_since_us = r.now_since_us, last_402_us = r.last_402_us
    from (${runsOf(dialect, all, among)}) as r
    where route_state.host_id = r.host_id and route_state.route_id = r.route_id ${among('route_state.host_id')}`.execute(
    writer,
  )
}
