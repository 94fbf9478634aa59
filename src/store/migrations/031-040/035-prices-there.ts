import { sql } from 'kysely'
import { endOfStep } from '../../facts/unlisted.ts'
import { summariesOf } from '../../hosts/summaries.ts'
import type { Writer } from '../../schema.ts'
import { FoundWords } from '../../search/found-words.ts'
import type { Dialect } from '../../sql/dialect.ts'

/**
 * The lowest price of a host, and the rails and networks that it is found by, are of the routes that are there: those that
 * a source names and that are not retired.
 */
export async function pricesThere(writer: Writer, dialect: Dialect): Promise<void> {
  for (let after = -1; ; ) {
    const end = await endOfStep(writer, after)
    if (end === null) return
    const within = sql`host_id > ${after} and host_id <= ${end}`
    // No other host has a route that is left out now.
    const hosts = sql`select host_id from unlisted where ${within} union select host_id from retirements where ${within}`
    await sql`update host_counters set price_min = t.price_min from (${summariesOf(hosts)}) as t
      where host_counters.host_id = t.host_id
        and coalesce(host_counters.price_min, -1) <> coalesce(t.price_min, -1)`.execute(writer)
    const ended = sql`select host_id from listings where ${within} and gone_us is not null`
    const found = await sql<{ host_id: number }>`${hosts} union ${ended}`.execute(writer)
    const words = new FoundWords()
    words.addFaceted(found.rows.map((row) => row.host_id))
    await words.save(writer, dialect)
    after = end
  }
}
