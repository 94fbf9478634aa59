import { sql } from 'kysely'
import type { Writer } from '../../schema.ts'

/** Announcements of some kinds are read without reading past those of others; of one host only its index is. */
export async function eventsByKind(writer: Writer): Promise<void> {
  await sql`create index events_by_kind on events (kind, saved_us, host_id, event_id)`.execute(writer)
  await sql`drop index events_by_host_arrival`.execute(writer)
  await sql`create index events_by_host_arrival on events (host_id, saved_us, event_id, kind)`.execute(writer)
}
