import type { EventOrder } from '../../domain/event.ts'
import type { SellerHost } from '../../domain/host.ts'
import { addressOf, type RouteKey } from '../../domain/route.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import {
  type EventPosition,
  type EventRow,
  newestArrival,
  readArrivals,
  readEvents,
} from '../../store/events/read-events.ts'
import { findHostId } from '../../store/host-id.ts'
import { readJson } from '../../store/sql/json.ts'
import type { Store } from '../../store/store.ts'
import { encodeCursor } from '../../wire/cursor.ts'
import type { Page } from '../host/host-view.ts'
import { pageOf, positionOf } from '../page.ts'

/** One announcement. */
export interface EventView {
  /** Opaque: followers go on after it. */
  readonly id: string
  /** Within its host and moment. */
  readonly number: number
  readonly kind: string
  readonly atUs: TimestampUs
  /** When it was written to this store. */
  readonly savedUs: TimestampUs
  readonly host: SellerHost
  readonly route: (RouteKey & { readonly address: string }) | null
  /** What changed: words and figures of the directory's own, and names that sources gave. */
  readonly data: Readonly<Record<string, unknown>>
}

export interface EventQuery {
  /** `null`: of the whole directory. */
  readonly host: SellerHost | null
  readonly limit: number
  readonly cursor: string | null
}

export interface ArrivalQuery {
  readonly host: SellerHost | null
  /** Of these alone; of all unless given. */
  readonly kinds?: readonly string[]
  readonly limit: number
  /** The `id` of an announcement; `null`: from the first one on. */
  readonly after: string | null
  /** `newest`: back from the last one, or from `after`. */
  readonly order?: EventOrder
}

/** The part of the directory that tells what happened. */
export interface Announcements {
  /** Newest first by the time of what happened; `undefined` when the host is unknown. */
  announcements(query: EventQuery): Promise<Page<EventView> | undefined>
  /**
   * In the order in which they were written; `next` continues after the last one. Nothing that is told later comes
   * before it, so whoever goes on after the last id they have misses nothing and is told nothing twice.
   */
  arrivals(query: ArrivalQuery): Promise<Page<EventView> | undefined>
  /** The `id` of the announcement that was written last; before the first one, an id that all come after. */
  lastArrival(): Promise<string>
}

const ARRIVALS = 'events'
const SHAPE = ['number', 'number', 'number'] as const
const BEFORE_ALL: EventPosition = [0, 0, 0]

export function announcementsOf(store: Store): Announcements {
  /** `undefined`: there is no such host. */
  const idOf = async (host: SellerHost | null): Promise<number | null | undefined> =>
    host === null ? null : findHostId(store.read, host)
  return {
    announcements: async ({ host, limit, cursor }) => {
      const before = positionOf('feed', SHAPE, cursor)
      const hostId = await idOf(host)
      if (hostId === undefined) return undefined
      const rows = await readEvents(store, hostId, before, limit + 1)
      return pageOf('feed', rows, limit, eventViewOf, (row) => [row.at_us, row.host_id, row.event_id])
    },
    arrivals: async ({ host, kinds = [], limit, after, order = 'oldest' }) => {
      const position = positionOf(ARRIVALS, SHAPE, after)
      const hostId = await idOf(host)
      if (hostId === undefined) return undefined
      const rows = await readArrivals(store, { hostId, kinds }, position, limit + 1, order)
      return pageOf(ARRIVALS, rows, limit, eventViewOf, arrivalOf)
    },
    lastArrival: async () => encodeCursor(ARRIVALS, (await newestArrival(store)) ?? BEFORE_ALL),
  }
}

const arrivalOf = (row: EventRow): EventPosition => [row.saved_us, row.host_id, row.event_id]

const eventViewOf = (row: EventRow): EventView => ({
  id: encodeCursor(ARRIVALS, arrivalOf(row)),
  number: row.event_id,
  kind: row.kind,
  atUs: row.at_us,
  savedUs: row.saved_us,
  host: row.name,
  route: routeOf(row),
  data: readJson(row.data),
})

function routeOf(row: EventRow): EventView['route'] {
  if (row.scheme === null) return null
  const { scheme, method, path, rail } = row
  return { scheme, method, path, rail, address: addressOf(scheme, row.name, path) }
}
