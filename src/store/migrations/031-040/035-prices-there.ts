import { sql } from 'kysely'
import { endOfStep } from '../../facts/unlisted.ts'
import { summariesOf } from '../../hosts/summaries.ts'
import type { Writer } from '../../schema.ts'

/** The lowest price of a host is of the routes that are there: those that a source names and that are not retired. */
export async function pricesThere(writer: Writer): Promise<void> {
  for (let after = -1; ; ) {
    const end = await endOfStep(writer, after)
    if (end === null) return
    const within = sql`host_id > ${after} and host_id <= ${end}`
    // No other host has a route that is left out now.
    const hosts = sql`select host_id from unlisted where ${within} union select host_id from retirements where ${within}`
    await sql`update host_counters set price_min = t.price_min from (${summariesOf(hosts)}) as t
      where host_counters.host_id = t.host_id
        and coalesce(host_counters.price_min, -1) <> coalesce(t.price_min, -1)`.execute(writer)
    after = end
  }
}
