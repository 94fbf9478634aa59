import { sql } from 'kysely'
import { endOfStep } from '../../facts/unlisted.ts'
import { BIT_OF_COLUMN } from '../../hosts/result-columns.ts'
import { RESULT_BITS, RESULT_COLUMNS } from '../../probes/folded.ts'
import type { Writer } from '../../schema.ts'

const FOLDED_BITS = sql.join(
  RESULT_COLUMNS.map((name) => sql.raw(`case when ${name} > 0 then ${BIT_OF_COLUMN[name]} else 0 end`)),
  sql` + `,
)

/** Of which classes each route ever had an entry, kept or folded. */
export async function routeResults(writer: Writer): Promise<void> {
  await sql`alter table route_state add column results integer not null default 0`.execute(writer)
  for (let after = -1; ; ) {
    const end = await endOfStep(writer, after)
    if (end === null) return
    const within = sql`host_id > ${after} and host_id <= ${end}`
    const kept = sql`select host_id, route_id, ${RESULT_BITS} as results from probes where ${within}
      group by host_id, route_id`
    const folded = sql`select host_id, route_id, ${FOLDED_BITS} as results from folded_routes where ${within}`
    // One after the other: together they would be summed up again.
    for (const found of [kept, folded])
      await sql`update route_state set results = route_state.results | f.results from (${found}) as f
        where route_state.host_id = f.host_id and route_state.route_id = f.route_id`.execute(writer)
    after = end
  }
}
