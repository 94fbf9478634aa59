import { sql } from 'kysely'
import { key53 } from '../domain/keys.ts'
import type { Dialect, Row } from './dialect.ts'
import type { EventInput } from './evidence.ts'
import type { Writer } from './schema.ts'

/** An announcement whose host and route have their numbers. */
export interface PlacedEvent extends Pick<EventInput, 'kind' | 'atUs' | 'data'> {
  readonly hostId: number
  readonly routeId: number | null
}

/** Appends announcements; the same one again changes nothing. */
export async function saveEvents(writer: Writer, dialect: Dialect, inputs: readonly PlacedEvent[]): Promise<void> {
  const rows = new Map<string, Row>()
  for (const { hostId, routeId, atUs, kind, data } of inputs) {
    const text = JSON.stringify(data)
    const id = key53(`${kind}\n${routeId}\n${text}`)
    rows.set(`${hostId}/${atUs}/${id}`, [hostId, atUs, id, kind, routeId, text])
  }
  if (rows.size === 0) return
  const columns = {
    host_id: 'int',
    at_us: 'int',
    event_id: 'int',
    kind: 'text',
    route_id: 'int',
    data: 'text',
  } as const
  await sql`insert into events (host_id, at_us, event_id, kind, route_id, data)
    select host_id, at_us, event_id, kind, route_id, data
    from ${dialect.rows(columns, [...rows.values()])} as v where true
    on conflict (host_id, at_us, event_id) do nothing`.execute(writer)
}
