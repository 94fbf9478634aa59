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
  await outdateRobots(writer, hostId)
  await sql`update schedule set due_us = ${nowUs}
    where host_id = ${hostId} and route_id = ${routeId} and due_us > ${nowUs}`.execute(writer)
  await sql`update host_turns set due_us = case when not_before_us > ${nowUs} then not_before_us else ${nowUs} end
    where host_id = ${hostId} and lease_by is null and due_us > ${nowUs}`.execute(writer)
}

/** Its robots.txt is read again first: what kept us away may be gone. Until it is, and where it cannot be, the old rules stand. */
async function outdateRobots(writer: Writer, hostId: number): Promise<void> {
  const ofHost = writer.selectFrom('host_turns').select(['vantage_id', 'robots']).where('host_id', '=', hostId)
  const turns = await ofHost.where('lease_by', 'is', null).orderBy('vantage_id').execute()
  for (const { vantage_id, robots } of turns) {
    if (robots === null) continue
    const own = writer.updateTable('host_turns').where('host_id', '=', hostId).where('vantage_id', '=', vantage_id)
    await own
      .where('lease_by', 'is', null)
      .set({ robots: outdated(robots) })
      .execute()
  }
}

/** As probers write it: for each scheme until when a file is good, and its rules. */
function outdated(robots: string): string {
  const files: Readonly<Record<string, object>> = JSON.parse(robots)
  return JSON.stringify(
    Object.fromEntries(Object.entries(files).map(([scheme, file]) => [scheme, { ...file, staleUs: 0 }])),
  )
}
