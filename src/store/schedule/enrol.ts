import { sql } from 'kysely'
import { NO_VANTAGE } from '../../domain/now/vantage.ts'
import { classify, type ProbeResult } from '../../domain/probe.ts'
import { isTemplate, type Method } from '../../domain/route.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { statusIn } from '../probes/no-status.ts'
import { sightsIn } from '../probes/sight-rows.ts'
import type { StoredVantage } from '../probes/vantages.ts'
import type { JsonText, SightRow, Writer } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import type { Store } from '../store.ts'
import { nextDueUs } from './due.ts'
import { idRows } from './schedule.ts'
import { bringForward } from './too-late.ts'

/** Hosts looked at, and routes added, by one step: each is a short read and a short transaction. */
const HOSTS_A_STEP = 2000
const ROUTES_A_STEP = 2000

export interface EnrolOptions {
  /** Whose schedule it is. */
  readonly vantage: StoredVantage
  /** Methods that are probed at all. Every prober of a store is told the same. */
  readonly methods: readonly Method[]
  readonly intervalUs: number
  readonly nowUs: TimestampUs
  /** Whether times in the schedule may be those of a clock that was ahead. */
  readonly isDoubtful?: boolean
}

export interface Enrolled {
  readonly routes: number
  /** Where the walk over all hosts goes on; `null` when it has reached their end. */
  readonly after: number | null
  /** How long finding out took, without the places that were given: those are given once. */
  readonly lookedMs: number
}

/**
 * One step of a walk over all hosts that gives every route its place in the schedule. A host whose number of routes is
 * as it was costs one row of reading, so that new routes are found without looking at the old ones.
 */
export async function enrol(store: Store, after: number, options: EnrolOptions): Promise<Enrolled> {
  const methods = options.methods.toSorted().join(' ')
  const startedMs = performance.now()
  const page = await sql<HostPage>`select c.host_id, c.routes, t.routes as scheduled, t.methods
    from host_counters as c left join host_turns as t on t.host_id = c.host_id and t.vantage_id = ${options.vantage.id}
    where c.host_id > ${after} order by c.host_id limit ${HOSTS_A_STEP}`.execute(store.read)
  const lookedMs = performance.now() - startedMs
  const stale = page.rows.filter((host) => host.routes !== (host.scheduled ?? 0) || host.methods !== methods)
  const chosen = upTo(ROUTES_A_STEP, stale)
  const end = page.rows.at(-1)?.host_id
  if (options.isDoubtful === true && end !== undefined) await bringForward(store, { after, end }, options)
  const routes = chosen.length === 0 ? 0 : await enrolHosts(store, chosen, methods, options)
  const more = page.rows.length === HOSTS_A_STEP || chosen.length < stale.length
  const last = chosen.length < stale.length ? chosen.at(-1) : page.rows.at(-1)
  return { routes, after: more && last ? last.host_id : null, lookedMs }
}

interface HostPage {
  host_id: number
  routes: number
  scheduled: number | null
  methods: string | null
}

/** At least one host, however large: its routes are then added in one go. */
function upTo(most: number, hosts: readonly HostPage[]): HostPage[] {
  let sum = 0
  return hosts.filter((host, index) => {
    sum += host.routes
    return index === 0 || sum <= most
  })
}

interface Unplaced {
  host_id: number
  route_id: number
  method: Method
  path: string
  sights: JsonText<SightRow[]> | null
  newest_us: number | null
  newest_status: number | null
}

/** The newest entry that its vantage has of it. */
function lastLookOf(route: Unplaced, { name }: StoredVantage): { atUs: number; result: ProbeResult | null } | null {
  if (route.sights !== null) {
    const sight = sightsIn(route.sights).find(({ vantage }) => vantage === name)
    return sight === undefined ? null : { atUs: sight.atUs, result: classify(sight.httpStatus) }
  }
  const { newest_us: atUs, newest_status: status } = route
  if (atUs === null || name !== NO_VANTAGE) return null
  return { atUs, result: status === null ? null : classify(statusIn(status)) }
}

const enrolHosts = (store: Store, hosts: readonly HostPage[], methods: string, options: EnrolOptions) =>
  store.write(async (writer) => {
    const { dialect } = store
    const vantageId = options.vantage.id
    const changed = hosts.filter((host) => host.methods !== null && host.methods !== methods)
    await place(writer, dialect, await routesOf(writer, dialect, changed, options, 'placed'), options, 'move')
    const unplaced = await routesOf(writer, dialect, hosts, options, 'unplaced')
    await place(writer, dialect, unplaced, options, 'add')
    const ids = hosts.map(({ host_id }): Row => [host_id]).toSorted(([a], [b]) => Number(a) - Number(b))
    // While a host is leased its turn ends with a look at all of its routes: the new ones are seen then.
    const placed = sql`from schedule as s where s.host_id = v.host_id and s.vantage_id = ${vantageId}`
    await sql`insert into host_turns (host_id, vantage_id, due_us, not_before_us, routes, methods)
      select v.host_id, ${sql.lit(vantageId)}, (select min(s.due_us) ${placed}), 0, (select count(*) ${placed}), ${methods}
      from ${dialect.hostRows({ host_id: 'int' }, ids)} as v where true
      on conflict (host_id, vantage_id) do update set routes = excluded.routes, methods = excluded.methods,
        due_us = case when host_turns.lease_by is not null then host_turns.due_us
          when excluded.due_us < host_turns.not_before_us then host_turns.not_before_us
          else excluded.due_us end`.execute(writer)
    return unplaced.length
  })

/** Routes of these hosts that have a place in the schedule, or that have none yet. */
async function routesOf(
  writer: Writer,
  dialect: Dialect,
  hosts: readonly HostPage[],
  { vantage }: EnrolOptions,
  which: 'placed' | 'unplaced',
): Promise<Unplaced[]> {
  if (hosts.length === 0) return []
  const ids = idRows(
    dialect,
    hosts.map((host) => host.host_id),
  )
  const found =
    await sql<Unplaced>`select r.host_id, r.route_id, r.method, r.path, o.sights, o.newest_probe_us as newest_us,
      case when o.newest_probe_us is not null then (select p.status from probes as p
        where p.host_id = r.host_id and p.route_id = r.route_id and p.at_us = o.newest_probe_us limit 1) end as newest_status
    from ${ids} as v cross join routes as r
    left join route_state as o on o.host_id = r.host_id and o.route_id = r.route_id
    left join schedule as s on s.host_id = r.host_id and s.vantage_id = ${vantage.id} and s.route_id = r.route_id
    where r.host_id = v.id and s.route_id is ${which === 'placed' ? sql`not null` : sql`null`}
    order by r.host_id, r.route_id`.execute(writer)
  return found.rows
}

/** A route never probed from there is due at once; one with a history goes on where that ended. */
async function place(
  writer: Writer,
  dialect: Dialect,
  routes: readonly Unplaced[],
  options: EnrolOptions,
  known: 'add' | 'move',
): Promise<void> {
  if (routes.length === 0) return
  const dueUs = (route: Unplaced, lastUs: TimestampUs | null): number | null => {
    if (isTemplate(route.path) || !options.methods.includes(route.method)) return null
    const ids = { hostId: route.host_id, routeId: route.route_id }
    return lastUs === null ? options.nowUs : nextDueUs(ids, lastUs, options.intervalUs)
  }
  const rows = routes.map((route): Row => {
    const last = lastLookOf(route, options.vantage)
    const lastUs = last?.atUs ?? null
    return [route.host_id, route.route_id, dueUs(route, lastUs), lastUs, last?.result ?? null]
  })
  const columns = { host_id: 'int', route_id: 'int', due_us: 'int', probed_us: 'int', last_result: 'text' } as const
  await sql`insert into schedule (host_id, vantage_id, route_id, due_us, probed_us, last_result, early_looks)
    select host_id, ${sql.lit(options.vantage.id)}, route_id, due_us, probed_us, last_result, 0
    from ${dialect.rows(columns, rows)} as v where true
    on conflict (host_id, vantage_id, route_id) do ${
      known === 'add' ? sql`nothing` : sql`update set due_us = excluded.due_us`
    }`.execute(writer)
}
