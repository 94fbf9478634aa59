import { sql } from 'kysely'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { RouteId } from '../hosts/route-ref.ts'
import type { Writer } from '../schema.ts'

/** How often the seller asked for a probe of the route since then. */
export async function probesAskedSince(
  writer: Writer,
  { hostId, routeId }: RouteId,
  sinceUs: TimestampUs,
): Promise<number> {
  const found = await sql<{ n: number }>`select count(*) as n from statements
    where host_id = ${hostId} and submitted_us > ${sinceUs} and kind = 'probe' and route_id = ${routeId}`.execute(
    writer,
  )
  return found.rows[0]?.n ?? 0
}

/** Makes one route due. A host that asked to be left alone still is, and one that is being visited has its turn soon. */
export async function probeNow(writer: Writer, { hostId, routeId }: RouteId, nowUs: TimestampUs): Promise<void> {
  await sql`update schedule set due_us = ${nowUs}
    where host_id = ${hostId} and route_id = ${routeId} and due_us > ${nowUs}`.execute(writer)
  await sql`update host_turns set due_us = case when not_before_us > ${nowUs} then not_before_us else ${nowUs} end
    where host_id = ${hostId} and lease_by is null and due_us > ${nowUs}`.execute(writer)
}
