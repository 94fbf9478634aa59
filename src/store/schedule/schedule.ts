import { type RawBuilder, sql } from 'kysely'
import type { SellerHost } from '../../domain/host.ts'
import type { ProbeResult } from '../../domain/probe.ts'
import type { RouteKey } from '../../domain/route.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { NO_VANTAGE_ID } from '../probes/vantages.ts'
import type { Writer } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { type JsonRows, rowReader } from '../sql/json-rows.ts'
import { isRetired } from '../sql/retired.ts'
import type { Store } from '../store.ts'

/** A due route as its prober gets it. */
export interface DueRoute extends RouteKey {
  readonly routeId: number
  /** Class of the newest probe, or `null` before the first. */
  readonly lastResult: ProbeResult | null
  readonly earlyLooks: number
  /** By its seller's word: it is looked at once a week. */
  readonly isRetired: boolean
}

/** One host, held until `untilUs` by whoever claimed it. Nobody else calls the host in the meantime, from wherever. */
export interface Turn {
  readonly hostId: number
  readonly vantageId: number
  readonly host: SellerHost
  readonly lease: string
  readonly untilUs: TimestampUs
  /** What was kept of its robots.txt. */
  readonly robots: string | null
  /** The longest due first; a host with thousands of due routes gets many turns, never a long one. */
  readonly routes: readonly DueRoute[]
}

export interface ClaimOptions {
  /** Unlike every other claim's. */
  readonly lease: string
  /** From where they are looked at (`vantageId`): every vantage has a schedule of its own. */
  readonly vantageId: number
  readonly nowUs: TimestampUs
  readonly leaseUs: number
  readonly mostHosts: number
  readonly routesPerHost: number
  /** Only routes that were due at this time, of these hosts (`null`: all): a round has an end. */
  readonly within: RoundScope | null
}

/** What one round has to look at. */
export interface Round {
  readonly cutoffUs: TimestampUs
  readonly hostIds: readonly number[] | null
}

/** The same on the schedule of a vantage. */
export interface RoundScope extends Round {
  readonly vantageId: number
}

/**
 * Takes the hosts whose turn it has been for the longest, each with its longest due routes. A claim whose holder died
 * ends by itself: a leased host is due again when its lease is over.
 */
export const claimTurns = (store: Store, options: ClaimOptions): Promise<Turn[]> =>
  store.write(async (writer) => {
    const { dialect } = store
    const { lease, vantageId, nowUs, within } = options
    const untilUs = nowUs + options.leaseUs
    // Vantages claim in turn: each sees which hosts the others hold.
    if (vantageId !== NO_VANTAGE_ID) await dialect.lockClaims(writer)
    const hostIds = await dialect.claimHosts(writer, {
      most: options.mostHosts,
      pick: (
        most,
      ) => sql`select t.host_id from host_turns as t where t.vantage_id = ${vantageId} and t.due_us <= ${nowUs}
          and not exists (select 1 from host_turns as o where o.host_id = t.host_id and o.vantage_id <> ${vantageId}
            and o.lease_by is not null and o.due_us > ${nowUs})
          ${within ? inScope(dialect, within) : sql``}
        order by t.due_us limit ${most}`,
      update: (hosts) => sql`update host_turns set due_us = ${untilUs}, lease_by = ${lease}
        where vantage_id = ${vantageId} and due_us <= ${nowUs} and host_id in (${hosts}) returning host_id`,
    })
    const found = await readTurns(writer, dialect, hostIds, within?.cutoffUs ?? nowUs, options)
    return found.map((row) => ({
      hostId: row.host_id,
      vantageId,
      host: row.name,
      lease,
      untilUs,
      robots: row.robots,
      routes: dueIn(row.routes_json).map(dueRouteOf),
    }))
  })

export interface GivenBack {
  readonly vantageId: number
  readonly nowUs: TimestampUs
  readonly leaseUs: number
  /** Whoever held them may have called them a moment ago. */
  readonly notBeforeUs: TimestampUs
  /** Whether the holder of a lease is no more. */
  readonly isEnded: (lease: string) => boolean
}

/** Gives back hosts whose holders have ended without a word, so that nobody waits for the end of their leases. */
export async function giveBackTurns(store: Store, options: GivenBack): Promise<void> {
  const { vantageId, nowUs, notBeforeUs, isEnded } = options
  const held = await sql<{ lease_by: string }>`select distinct lease_by from host_turns where vantage_id = ${vantageId}
    and due_us > ${nowUs} and due_us <= ${nowUs + options.leaseUs} and lease_by is not null`.execute(store.read)
  const ended = held.rows.map(({ lease_by }) => lease_by).filter(isEnded)
  if (ended.length === 0) return
  await store.write((writer) =>
    sql`update host_turns set lease_by = null, due_us = ${notBeforeUs} where vantage_id = ${vantageId}
      and due_us > ${notBeforeUs} and lease_by in (${sql.join(ended)})`.execute(writer),
  )
}

/** Hosts of a round that still have something due in it. */
export function inScope(dialect: Dialect, { vantageId, cutoffUs, hostIds }: RoundScope): RawBuilder<unknown> {
  const named = hostIds === null ? sql`` : sql`and t.host_id in (select id from ${idRows(dialect, hostIds)} as n)`
  return sql`${named} and exists (select 1 from schedule as s
    where s.host_id = t.host_id and s.vantage_id = ${vantageId} and s.due_us <= ${cutoffUs})`
}

export const idRows = (dialect: Dialect, ids: readonly number[]): RawBuilder<unknown> =>
  dialect.rows(
    { id: 'int' },
    ids.map((id): Row => [id]),
  )

const DUE_COLUMNS = {
  route_id: 'value',
  scheme: 'value',
  method: 'value',
  path: 'value',
  rail: 'value',
  last_result: 'value',
  early_looks: 'value',
  is_retired: 'value',
} as const

interface DueColumns extends RouteKey {
  route_id: number
  last_result: ProbeResult | null
  early_looks: number
  is_retired: number
}

const dueIn = rowReader<DueColumns>(DUE_COLUMNS)

const dueRouteOf = (row: DueColumns): DueRoute => ({
  routeId: row.route_id,
  scheme: row.scheme,
  method: row.method,
  path: row.path,
  rail: row.rail,
  lastResult: row.last_result,
  earlyLooks: row.early_looks,
  isRetired: row.is_retired === 1,
})

async function readTurns(
  writer: Writer,
  dialect: Dialect,
  hostIds: readonly number[],
  dueUs: number,
  { vantageId, routesPerHost }: ClaimOptions,
) {
  if (hostIds.length === 0) return []
  const routes = dialect.jsonRows(
    DUE_COLUMNS,
    sql`select s.route_id, r.scheme, r.method, r.path, r.rail, s.last_result, s.early_looks,
        case when ${isRetired('s')} then 1 else 0 end as is_retired
      from (select host_id, route_id, due_us, last_result, early_looks from schedule
        where host_id = t.host_id and vantage_id = ${vantageId} and due_us <= ${dueUs}
        order by due_us limit ${routesPerHost}) as s
      cross join routes as r where r.host_id = s.host_id and r.route_id = s.route_id order by s.due_us`,
  )
  const found = await sql<{
    host_id: number
    name: string
    robots: string | null
    routes_json: JsonRows<DueColumns>
  }>`
    select t.host_id, h.name, t.robots, ${routes} as routes_json
    from ${idRows(dialect, hostIds)} as v cross join host_turns as t cross join hosts as h
    where t.host_id = v.id and t.vantage_id = ${vantageId} and h.host_id = v.id`.execute(writer)
  return found.rows
}

/** What becomes of one route of a turn. */
export interface RouteMove {
  readonly routeId: number
  /** `null`: not probeable after all. */
  readonly dueUs: TimestampUs | null
  /** `null`: it was not probed. */
  readonly probedUs: TimestampUs | null
  readonly result: ProbeResult | null
  readonly earlyLooks: number
}

/** The end of a turn. Routes that it does not name stay due. */
export interface EndedTurn {
  readonly hostId: number
  readonly vantageId: number
  readonly lease: string
  /** Nobody calls the host before this. */
  readonly notBeforeUs: TimestampUs
  readonly robots: string | null
  readonly routes: readonly RouteMove[]
}

/**
 * Ends turns, inside the transaction that saves their entries: so an entry is saved if and only if its route has moved
 * on, whenever the prober dies. Ending again changes nothing, and a host that somebody else has claimed since stays theirs.
 * A last probe that lies after the next one was dated by a clock that was ahead.
 */
export async function endTurns(writer: Writer, dialect: Dialect, turns: readonly EndedTurn[]): Promise<void> {
  const inOrder = turns.toSorted((a, b) => a.hostId - b.hostId)
  await moveRoutes(writer, dialect, inOrder)
  const ids = inOrder.map(({ hostId }) => hostId)
  // Its own statement: what enrolment has added to a host's routes is seen only by a statement that begins after the lock.
  const which = sql`host_id in (select id from ${idRows(dialect, ids)} as v)`
  await dialect.lockRows(writer, { table: 'host_turns', which, order: sql`host_id, vantage_id` })
  const columns = { host_id: 'int', vantage_id: 'int', lease: 'text', not_before: 'int', robots: 'text' } as const
  const rows = inOrder.map((turn): Row => [turn.hostId, turn.vantageId, turn.lease, turn.notBeforeUs, turn.robots])
  // Whoever reads the host's documents may have been asked for a longer pause meanwhile.
  const notBefore = dialect.greatest(sql.ref('host_turns.not_before_us'), sql.ref('v.not_before'))
  const earliest = sql`(select case when m.due_us < ${notBefore} then ${notBefore} else m.due_us end
    from (select min(s.due_us) as due_us from schedule as s
      where s.host_id = host_turns.host_id and s.vantage_id = v.vantage_id) as m)`
  await sql`update host_turns set lease_by = null, not_before_us = ${notBefore}, robots = v.robots, due_us = ${earliest}
    from ${dialect.rows(columns, rows)} as v
    where host_turns.host_id = v.host_id and host_turns.vantage_id = v.vantage_id
      and host_turns.lease_by = v.lease`.execute(writer)
}

async function moveRoutes(writer: Writer, dialect: Dialect, turns: readonly EndedTurn[]): Promise<void> {
  const rows = turns.flatMap(({ hostId, vantageId, routes }) =>
    routes
      .toSorted((a, b) => a.routeId - b.routeId)
      .map((move): Row => [hostId, vantageId, move.routeId, move.dueUs, move.probedUs, move.result, move.earlyLooks]),
  )
  if (rows.length === 0) return
  const columns = {
    host_id: 'int',
    vantage_id: 'int',
    route_id: 'int',
    due_us: 'int',
    probed_us: 'int',
    last_result: 'text',
    early_looks: 'int',
  } as const
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)))
  await sql`insert into schedule (${names}) select ${names} from ${dialect.rows(columns, rows)} as v where true
    on conflict (host_id, vantage_id, route_id) do update set due_us = excluded.due_us, early_looks = excluded.early_looks,
      probed_us = coalesce(excluded.probed_us, schedule.probed_us),
      last_result = coalesce(excluded.last_result, schedule.last_result)
    where excluded.probed_us is null or schedule.probed_us is null
      or excluded.probed_us > schedule.probed_us or schedule.probed_us > excluded.due_us`.execute(writer)
}

/** When the next turn begins, or `null` when no route is probeable. */
export async function nextTurnUs(store: Store, vantageId: number): Promise<TimestampUs | null> {
  const found = await sql<{ due_us: number | null }>`select min(due_us) as due_us from host_turns
    where vantage_id = ${vantageId}`.execute(store.read)
  return found.rows[0]?.due_us ?? null
}
