import { sql } from 'kysely'
import type { Challenge } from '../../../domain/challenge.ts'
import { routeFacts } from '../../../domain/money/route-price.ts'
import type { Rail } from '../../../domain/route.ts'
import { type ListingColumns, listingOf } from '../../facts/listings.ts'
import { factColumns } from '../../facts/route-state.ts'
import type { JsonText, Writer } from '../../schema.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { groupBy } from '../../sql/group.ts'
import { readJson } from '../../sql/json.ts'

/** Since when a source no longer names a row, and what current rows say of a route beside its price. */
const STATEMENTS = `
alter table listings add column gone_us bigint;
alter table route_state add column price_low bigint;
alter table route_state add column price_high bigint;
alter table route_state add column matching $text;

update listings set gone_us = (select min(w.started_us) from sweeps as w
    where w.source = listings.source and w.status = 'complete' and w.started_us > listings.last_us
      and exists (select 1 from listings as s where s.host_id = listings.host_id and s.source = listings.source
        and s.last_us >= w.started_us))
  where last_us < (select max(w.started_us) from sweeps as w
    where w.source = listings.source and w.status = 'complete')`

/**
 * A row has ended where its source named others of the same host in a later complete sweep: whether a source was read whole
 * is not known of old sweeps, and what else has ended shows with the next one. Then every route with several rows gets its
 * price by the rule of now; with one row there is no choice.
 */
export async function routePrices(writer: Writer, dialect: Dialect): Promise<void> {
  const text = dialect.engine === 'sqlite' ? 'text' : 'text collate "C"'
  for (const statement of STATEMENTS.replaceAll('$text', text).split(';')) await sql.raw(statement).execute(writer)
  for (let after = -1; ; ) {
    const end = await endOfStep(writer, after)
    if (end === null) return
    await chooseAgain(writer, after, end)
    after = end
  }
}

const HOSTS_A_STEP = 500

async function endOfStep(writer: Writer, after: number): Promise<number | null> {
  const found = await sql<{ host_id: number | null }>`select max(host_id) as host_id from
    (select host_id from hosts where host_id > ${after} order by host_id limit ${HOSTS_A_STEP}) as step`.execute(writer)
  return found.rows[0]?.host_id ?? null
}

interface StoredRow extends ListingColumns {
  host_id: number
  route_id: number
  rail: Rail
  challenge: JsonText<Challenge> | null
}

async function chooseAgain(writer: Writer, after: number, end: number): Promise<void> {
  const found = await sql<StoredRow>`select l.host_id, l.route_id, l.source, l.price, l.network, l.first_us, l.last_us,
      l.gone_us, r.rail, (select body from challenges as c
        where c.host_id = s.host_id and c.challenge_id = s.challenge_id) as challenge
    from listings as l
    join routes as r on r.host_id = l.host_id and r.route_id = l.route_id
    join route_state as s on s.host_id = l.host_id and s.route_id = l.route_id
    where l.host_id > ${after} and l.host_id <= ${end} and (select count(*) from listings as n
      where n.host_id = l.host_id and n.route_id = l.route_id) > 1`.execute(writer)
  const routes = groupBy(found.rows, (row) => `${row.host_id}/${row.route_id}`)
  for (const [one, ...more] of routes.values()) {
    if (one === undefined) continue
    const facts = factColumns(routeFacts(one.rail, [one, ...more].map(listingOf), readJson(one.challenge)))
    await writer
      .updateTable('route_state')
      .set(facts)
      .where('host_id', '=', one.host_id)
      .where('route_id', '=', one.route_id)
      .execute()
  }
}
