import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { SellerHost } from '../../domain/host.ts'
import type { RouteKey } from '../../domain/route.ts'
import type { EventTable } from '../schema.ts'
import { fromRetired } from '../sql/retired.ts'
import type { Store } from '../store.ts'
import { NEWEST_SAVED_US } from './events.ts'

/** An announcement with the names of its host and route. */
export type EventRow = Omit<Selectable<EventTable>, 'route_id' | 'subject'> & { name: SellerHost } & (
    | RouteKey
    | { [K in keyof RouteKey]: null }
  )

/** A time, then the host's number and the announcement's. */
export type EventPosition = readonly [us: number, hostId: number, eventId: number]

const FIELDS = sql`e.host_id, e.at_us, e.event_id, e.saved_us, e.kind, e.data, h.name,
  r.scheme, r.method, r.path, r.rail`

/** Whose announcements are asked for. */
export interface EventsAsked {
  /** `null`: of all hosts. */
  readonly hostId: number | null
  /** Of these alone; of all where there are none. */
  readonly kinds: readonly string[]
}

const read = async (
  store: Store,
  { hostId, kinds }: EventsAsked,
  position: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  limit: number,
): Promise<EventRow[]> => {
  const ofHost = hostId === null ? sql`` : sql`and e.host_id = ${hostId}`
  const ofKinds = kinds.length === 0 ? sql`` : sql`and e.kind in (${sql.join(kinds)})`
  const found = await sql<EventRow>`select ${FIELDS} from events as e cross join hosts as h
    left join routes as r on r.host_id = e.host_id and r.route_id = e.route_id
    where h.host_id = e.host_id ${ofHost} ${ofKinds} ${position} order by ${order} limit ${limit}`.execute(store.read)
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
    { hostId, kinds: [] },
    before === null ? sql`` : sql`and (e.at_us, e.host_id, e.event_id) < (${sql.join(before)})`,
    sql`e.at_us desc, e.host_id desc, e.event_id desc`,
    limit,
  )

/**
 * In the order in which they were written. Only those that no transaction under way can come before: whoever goes on
 * after the last one misses none. Of all hosts each kind is read by itself, in the order of an index that has it first.
 */
export async function readArrivals(
  store: Store,
  asked: EventsAsked,
  after: EventPosition | null,
  limit: number,
  /** `newest` goes back from the last one written; `after` is then what comes before. */
  order: 'oldest' | 'newest' = 'oldest',
): Promise<EventRow[]> {
  const kinds = [...new Set(asked.kinds)]
  const parts = asked.hostId === null && kinds.length > 1 ? kinds.map((kind) => [kind]) : [kinds]
  const complete = await isComplete(store, parts.length > 1)
  const place = sql`(e.saved_us, e.host_id, e.event_id)`
  const beyond = order === 'newest' ? sql`<` : sql`>`
  const position = after === null ? sql`` : sql`and ${place} ${beyond} (${sql.join(after)})`
  const sorted =
    order === 'newest' ? sql`e.saved_us desc, e.host_id desc, e.event_id desc` : sql`e.saved_us, e.host_id, e.event_id`
  const found = await Promise.all(
    parts.map((ofKinds) => read(store, { ...asked, kinds: ofKinds }, sql`${position} and ${complete}`, sorted, limit)),
  )
  if (found.length === 1) return found.flat()
  const rows = found.flat().sort(compareArrivals)
  return (order === 'newest' ? rows.reverse() : rows).slice(0, limit)
}

const compareArrivals = (a: EventRow, b: EventRow): number =>
  a.saved_us - b.saved_us || a.host_id - b.host_id || a.event_id - b.event_id

/** Those that nothing can come before any more; of several statements, also those alone that are there for the first. */
async function isComplete(store: Store, isSeveral: boolean): Promise<RawBuilder<unknown>> {
  const us = await store.dialect.completeUntilUs(store.read, NEWEST_SAVED_US)
  if (us !== null) return sql`e.saved_us < ${us}`
  if (!isSeveral) return sql`true`
  const { rows } = await sql<{ us: number }>`select ${NEWEST_SAVED_US} as us`.execute(store.read)
  return sql`e.saved_us <= ${rows[0]?.us ?? 0}`
}

export async function newestArrival(store: Store): Promise<EventPosition | null> {
  const complete = await isComplete(store, false)
  const found = await sql<{ saved_us: number; host_id: number; event_id: number }>`select saved_us, host_id, event_id
    from events as e where ${complete} order by saved_us desc, host_id desc, event_id desc limit 1`.execute(store.read)
  const [row] = found.rows
  return row ? [row.saved_us, row.host_id, row.event_id] : null
}

export interface HostNameRow {
  host_id: number
  name: string
  newest_probe_us: number | null
}

/** Hosts by their numbers, but for those that their seller retired, which are as good as random: equal parts of the numbers hold about as many hosts each. */
export async function readHostNames(store: Store, after: number, below: number, limit: number): Promise<HostNameRow[]> {
  const found = await sql<HostNameRow>`select h.host_id, h.name, c.newest_probe_us
    from hosts as h cross join host_counters as c where c.host_id = h.host_id
    and h.host_id > ${after} and h.host_id < ${below} and (select 1 ${fromRetired('h')} limit 1) is null order by h.host_id limit ${limit}`.execute(
    store.read,
  )
  return found.rows
}
