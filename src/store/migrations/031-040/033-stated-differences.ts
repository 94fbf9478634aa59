import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Challenge } from '../../../domain/challenge.ts'
import { routeFacts } from '../../../domain/money/route-price.ts'
import type { Rail } from '../../../domain/route.ts'
import { type ListingColumns, listingOf } from '../../facts/listings.ts'
import { type FactColumns, factColumns } from '../../facts/route-state.ts'
import { endOfStep } from '../../facts/unlisted.ts'
import { setSummaries } from '../../hosts/summaries.ts'
import type { JsonText, Writer } from '../../schema.ts'
import { groupBy } from '../../sql/group.ts'
import { readJson } from '../../sql/json.ts'

/**
 * Routes with a live challenge are compared with what is listed by the rule of now, which looks at every field that both
 * sides state, on the route's rail; sources that no longer name a route do not disagree about its price. Then what the routes of each host sum up to is found again, and of a host that is retired
 * as a whole nothing is true now.
 */
export async function statedDifferences(writer: Writer): Promise<void> {
  for (let after = -1; ; ) {
    const end = await endOfStep(writer, after)
    if (end === null) return
    await compareAgain(writer, after, end)
    await setSummaries(sql`select host_id from hosts where host_id > ${after} and host_id <= ${end}`).execute(writer)
    after = end
  }
}

interface StoredRow extends ListingColumns {
  host_id: number
  route_id: number
  rail: Rail
  challenge: JsonText<Challenge> | null
  state_price: number | null
  state_network: string | null
  probe_status: FactColumns['probe_status']
  price_low: number | null
  price_high: number | null
  matching: FactColumns['matching']
}

const stateIn = (row: StoredRow): FactColumns => ({
  price: row.state_price,
  network: row.state_network,
  probe_status: row.probe_status,
  price_low: row.price_low,
  price_high: row.price_high,
  matching: row.matching,
})

async function compareAgain(writer: Writer, after: number, end: number): Promise<void> {
  const found = await sql<StoredRow>`select l.host_id, l.route_id, l.source, l.price, l.network, l.first_us, l.last_us,
      l.gone_us, l.one_of_several, r.rail, s.price as state_price, s.network as state_network, s.probe_status, s.price_low,
      s.price_high, s.matching, (select body from challenges as c
        where c.host_id = s.host_id and c.challenge_id = s.challenge_id) as challenge
    from route_state as s
    join routes as r on r.host_id = s.host_id and r.route_id = s.route_id
    join listings as l on l.host_id = s.host_id and l.route_id = s.route_id
    where s.host_id > ${after} and s.host_id <= ${end}
      and (s.challenge_id is not null or s.price_low is not null)`.execute(writer)
  for (const [one, ...more] of groupBy(found.rows, (row) => `${row.host_id}/${row.route_id}`).values()) {
    if (one === undefined) continue
    const facts = factColumns(routeFacts(one.rail, [one, ...more].map(listingOf), readJson(one.challenge)))
    // Few change, and a store may have a million.
    if (isDeepStrictEqual(facts, stateIn(one))) continue
    await writer
      .updateTable('route_state')
      .set(facts)
      .where('host_id', '=', one.host_id)
      .where('route_id', '=', one.route_id)
      .execute()
  }
}
