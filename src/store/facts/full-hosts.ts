import { sql } from 'kysely'
import type { SellerHost } from '../../domain/host.ts'
import { hostKey } from '../../domain/keys.ts'
import type { Row } from '../sql/dialect.ts'
import type { Store } from '../store.ts'

/**
 * Routes of one host that one source may name over time, those that it dropped included. Of each source, so that nobody fills a
 * host for those who speak for it.
 */
export const MOST_ROUTES = 20_000

/** Those of these hosts of which a source has named as many routes as it may. Looks closely only at hosts that have so many. */
export async function fullHosts(
  { read, dialect }: Store,
  source: string,
  hosts: readonly SellerHost[],
  most: number,
): Promise<SellerHost[]> {
  const rows = hosts.map((host): Row => [hostKey(host), host])
  const large = await sql<{ host_id: number; name: string }>`select h.host_id, h.name
    from ${dialect.rows({ host_id: 'int', name: 'text' }, rows)} as v cross join hosts as h cross join host_counters as c
    where h.host_id = v.host_id and h.name = v.name and c.host_id = v.host_id and c.routes >= ${most}`.execute(read)
  const full: SellerHost[] = []
  for (const { host_id, name } of large.rows) {
    const last = await sql`select distinct route_id from listings where host_id = ${host_id} and source = ${source}
      limit 1 offset ${most - 1}`.execute(read)
    if (last.rows.length > 0) full.push(name)
  }
  return full
}
