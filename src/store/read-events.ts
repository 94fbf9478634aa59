import { type RawBuilder, sql } from 'kysely'
import type { Store } from './store.ts'

/** An announcement with the names of its host and route. */
export interface EventRow {
  host_id: number
  at_us: number
  event_id: number
  saved_us: number
  kind: string
  data: string
  name: string
  scheme: string | null
  method: string | null
  path: string | null
  rail: string | null
}

/** A time, then the host's number and the announcement's. */
export type EventPosition = readonly [us: number, hostId: number, eventId: number]

const FIELDS = sql`e.host_id, e.at_us, e.event_id, e.saved_us, e.kind, e.data, h.name,
  r.scheme, r.method, r.path, r.rail`

const read = async (
  store: Store,
  hostId: number | null,
  position: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  limit: number,
): Promise<EventRow[]> => {
  const ofHost = hostId === null ? sql`` : sql`and e.host_id = ${hostId}`
  const found = await sql<EventRow>`select ${FIELDS} from events as e cross join hosts as h
    left join routes as r on r.host_id = e.host_id and r.route_id = e.route_id
    where h.host_id = e.host_id ${ofHost} ${position} order by ${order} limit ${limit}`.execute(store.read)
  return found.rows
}

/** Newest first, of one host or all. */
export const readEvents = (
  store: Store,
  hostId: number | null,
  before: EventPosition | null,
  limit: number,
): Promise<EventRow[]> =>
  read(
    store,
    hostId,
    before === null ? sql`` : sql`and (e.at_us, e.host_id, e.event_id) < (${sql.join(before)})`,
    sql`e.at_us desc, e.host_id desc, e.event_id desc`,
    limit,
  )

/**
 * In the order in which they were written, of one host or all. Only those that no transaction under way can come before:
 * whoever goes on after the last one misses none.
 */
export async function readArrivals(
  store: Store,
  hostId: number | null,
  after: EventPosition | null,
  limit: number,
): Promise<EventRow[]> {
  const settled = await settledBefore(store)
  const position = after === null ? sql`` : sql`and (e.saved_us, e.host_id, e.event_id) > (${sql.join(after)})`
  return read(store, hostId, sql`${position} and ${settled}`, sql`e.saved_us, e.host_id, e.event_id`, limit)
}

/** A transaction that takes longer than this is not waited for. */
const LONGEST_WRITE_US = 60_000_000

/**
 * On SQLite announcements become visible in the order of `saved_us`, one transaction after the other. On Postgres one
 * under way may have taken its time already: whoever writes has begun before that, so what is older than every such
 * beginning is settled.
 */
async function settledBefore(store: Store): Promise<RawBuilder<unknown>> {
  if (store.dialect.engine === 'sqlite') return sql`true`
  const { nowUs } = store.dialect
  const found = await sql<{ us: number }>`select greatest(${nowUs} - ${sql.lit(LONGEST_WRITE_US)}, least(${nowUs},
      (select (extract(epoch from min(xact_start)) * 1000000)::bigint from pg_stat_activity
        where datname = current_database() and backend_xid is not null))) as us`.execute(store.read)
  return sql`e.saved_us < ${found.rows[0]?.us ?? 0}`
}

export async function newestArrival(store: Store): Promise<EventPosition | null> {
  const settled = await settledBefore(store)
  const found = await sql<{ saved_us: number; host_id: number; event_id: number }>`select saved_us, host_id, event_id
    from events as e where ${settled} order by saved_us desc, host_id desc, event_id desc limit 1`.execute(store.read)
  const [row] = found.rows
  return row ? [row.saved_us, row.host_id, row.event_id] : null
}

export interface HostNameRow {
  host_id: number
  name: string
  newest_probe_us: number | null
}

/** Hosts by their numbers, which are as good as random: equal parts of the numbers hold about as many hosts each. */
export async function readHostNames(store: Store, after: number, below: number, limit: number): Promise<HostNameRow[]> {
  const found = await sql<HostNameRow>`select h.host_id, h.name, c.newest_probe_us
    from hosts as h cross join host_counters as c where c.host_id = h.host_id
    and h.host_id > ${after} and h.host_id < ${below} order by h.host_id limit ${limit}`.execute(store.read)
  return found.rows
}
