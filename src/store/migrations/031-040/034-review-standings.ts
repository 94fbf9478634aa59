import { sql } from 'kysely'
import type { Writer } from '../../schema.ts'

/** Finds the few reviews of a route that are shown first, however many others there are: those that count, by level. */
export async function reviewStandings(writer: Writer): Promise<void> {
  await sql`create index reviews_by_standing on reviews (host_id, route_id, (case when excluded is not null then 4
      when superseded = 1 then 3 when level = 'Verified buyer' then 0 when level = 'Signed' then 1 else 2 end),
    submitted_us desc, review_id desc)`.execute(writer)
}
