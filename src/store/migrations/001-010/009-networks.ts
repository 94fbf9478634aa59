import { sql } from 'kysely'
import { networkKey } from '../../../domain/network.ts'
import type { Writer } from '../../schema.ts'

/**
 * More writings of a network are known to be one: rows that were kept under the writing itself are compared, and their
 * hosts found, by the network's own name from now on.
 */
export async function networks(writer: Writer): Promise<void> {
  const written = await sql<{ network: string; network_key: string }>`select distinct network, network_key
    from listings where network <> ''`.execute(writer)
  const stale = written.rows.filter(({ network, network_key }) => networkKey(network) !== network_key)
  for (const { network, network_key } of stale) {
    await sql`update listings set network_key = ${networkKey(network)}
      where network = ${network} and network_key = ${network_key}`.execute(writer)
  }
  for (const key of new Set(stale.map(({ network }) => networkKey(network)))) {
    await sql`insert into search_places (word, host_id, place)
      select distinct ${sql.lit(`:network:${key}`)}, host_id, 0 from listings where network_key = ${key}
      on conflict (word, host_id) do nothing`.execute(writer)
  }
  for (const key of new Set(stale.map(({ network_key }) => network_key))) {
    await sql`delete from search_places where word = ${`:network:${key}`} and not exists
      (select 1 from listings as l where l.host_id = search_places.host_id and l.network_key = ${key})`.execute(writer)
  }
}
