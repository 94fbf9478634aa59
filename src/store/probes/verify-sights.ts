import { sql } from 'kysely'
import type { Reader } from '../schema.ts'
import type { Dialect } from '../sql/dialect.ts'
import { runColumns } from './runs.ts'
import { sightsText } from './sight-rows.ts'
import { sightsOf } from './sights.ts'

/** For `tollbook verify`: of routes whose entries name vantages the run follows from what each of them sees. */
export async function readSights(
  reader: Reader,
  dialect: Dialect,
  hostId: number,
  names: ReadonlyMap<number, string>,
  counted: Map<string, string | number | null>,
): Promise<void> {
  const routes = await sql<{ route_id: number }>`select route_id from probes
      where host_id = ${hostId} and vantage_id is not null
    union select route_id from folded_routes where host_id = ${hostId} and sights is not null`.execute(reader)
  const seen = routes.rows.map(({ route_id }) => ({ hostId, routeId: route_id }))
  for await (const { routeId, state } of sightsOf(reader, dialect, seen)) {
    const figures = { ...runColumns(state.run), sights: sightsText(state.sights) }
    for (const [column, value] of Object.entries(figures)) counted.set(`${names.get(routeId)} ${column}`, value)
  }
}
