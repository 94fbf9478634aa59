import { sql } from 'kysely'
import type { Writer } from '../../schema.ts'
import type { Dialect } from '../../sql/dialect.ts'

/**
 * What sources say of routes in words, apart from the listing rows: those are written anew by every sweep, and a text
 * belongs to a route and a source whatever the price. Fills with the next sweeps.
 * Beside the words that hosts are found by, their rails and networks.
 */
export async function descriptions(writer: Writer, dialect: Dialect): Promise<void> {
  const sqlite = dialect.engine === 'sqlite'
  await sql
    .raw(
      `create table descriptions (
        host_id bigint not null, route_id bigint not null, source ${sqlite ? 'text' : 'text collate "C"'} not null,
        text text not null,
        primary key (host_id, route_id, source)) ${sqlite ? 'without rowid' : ''}`,
    )
    .execute(writer)
  await addFacets(writer)
}

export async function addFacets(writer: Writer): Promise<void> {
  await sql`insert into search_places (word, host_id, place)
    select distinct ':rail:' || rail, host_id, 0 from routes where true
    on conflict (word, host_id) do nothing`.execute(writer)
  await sql`insert into search_places (word, host_id, place)
    select distinct ':network:' || network_key, host_id, 0 from listings where network_key <> ''
    on conflict (word, host_id) do nothing`.execute(writer)
}
