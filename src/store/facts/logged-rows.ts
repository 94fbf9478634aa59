import { type RawBuilder, sql } from 'kysely'
import { DAY_US } from '../../domain/time/day.ts'
import type { HostTransaction } from '../hosts/host-transaction.ts'
import { byRouteId, hostIdsOf, type Placed, type RouteId, routeText } from '../hosts/route-ref.ts'
import type { RouteTable } from '../schema.ts'
import type { Row } from '../sql/dialect.ts'
import { listingText } from './listing-record.ts'
import { type ListingColumns, type ListingInput, LOGGED_OTHERWISE, listingOf } from './listings.ts'

const ROUTE = { host_id: 'int', route_id: 'int' } as const

/** A row as the log is to say it. */
interface UnloggedRow extends ListingColumns, Pick<RouteTable, 'scheme' | 'method' | 'path' | 'rail'> {
  host_id: number
  route_id: number
  name: string
  description: string | null
  log_id: number | null
}

const isToBeLogged = sql`(l.log_id is null or l.logged_us = ${sql.lit(LOGGED_OTHERWISE)} or (l.gone_us is null and (l.logged_us is null
  or l.last_us / ${sql.lit(DAY_US)} > l.logged_us / ${sql.lit(DAY_US)})))`

/**
 * Of rows that are stored: those that opened, came again, were last said to go on before this UTC day, or of which an import
 * knew an earlier beginning or another end.
 */
export async function logSighted(
  transaction: HostTransaction,
  listings: readonly Placed<Pick<ListingInput, 'source'>>[],
): Promise<void> {
  const sources = new Map<string, Row>()
  for (const { at, source } of listings) sources.set(`${routeText(at)}\n${source}`, [at.hostId, at.routeId, source])
  if (sources.size === 0 || transaction.log.logging === 'off') return
  const rows = [...sources.values()].sort((a, b) => Number(a[0]) - Number(b[0]) || Number(a[1]) - Number(b[1]))
  const hosts = hostIdsOf(listings.map(({ at }) => at))
  const named = sql`select l.* from ${transaction.dialect.rows({ ...ROUTE, source: 'text' }, rows)} as v
    cross join listings as l where l.host_id = v.host_id and l.route_id = v.route_id and l.source = v.source
      and ${isToBeLogged} ${transaction.dialect.among('l.host_id', hosts)}`
  await logRows(transaction, named, hosts)
}

/** Rows of these routes that their source has just stopped naming; seen again, they are logged again. */
export async function logEnded(
  transaction: HostTransaction,
  routes: readonly RouteId[],
  { source, goneUs }: { readonly source: string; readonly goneUs: number },
): Promise<void> {
  if (transaction.log.logging === 'off') return
  const rows = routes.toSorted(byRouteId).map(({ hostId, routeId }): Row => [hostId, routeId])
  const ended = sql`select l.* from ${transaction.dialect.rows(ROUTE, rows)} as v cross join listings as l
    where l.host_id = v.host_id and l.route_id = v.route_id and l.source = ${source} and l.gone_us = ${sql.lit(goneUs)}
      ${transaction.dialect.among('l.host_id', hostIdsOf(routes))}`
  await logRows(transaction, ended, hostIdsOf(routes))
}

/** Rows of a host that the log knows nothing of, so many at most; answers how many there were. */
export async function logUnknownRows(transaction: HostTransaction, hostId: number, most: number): Promise<number> {
  const unknown = sql`select l.* from listings as l where l.host_id = ${hostId} and l.log_id is null`
  return logRows(transaction, unknown, [hostId], sql`limit ${sql.lit(most)}`)
}

async function logRows(
  transaction: HostTransaction,
  listings: RawBuilder<unknown>,
  hostIds: Iterable<number>,
  // Not with the listings: a cluster then no longer sees that all of it lies on one worker.
  limit: RawBuilder<unknown> = sql``,
): Promise<number> {
  const { writer, dialect, log } = transaction
  const among = (column: string) => dialect.among(column, hostIds)
  const found = await sql<UnloggedRow>`select l.*, h.name, r.scheme, r.method, r.path, r.rail,
      (select d.text from descriptions as d where d.host_id = l.host_id and d.route_id = l.route_id
        and d.source = l.source ${among('d.host_id')}) as description
    from (${listings}) as l join hosts as h on h.host_id = l.host_id ${among('h.host_id')}
    join routes as r on r.host_id = l.host_id and r.route_id = l.route_id ${among('r.host_id')} ${limit}`.execute(
    writer,
  )
  if (found.rows.length === 0) return 0
  await log.reserve(found.rows.length)
  const rows = found.rows.map((row): Row => {
    const { host_id, route_id, name: host, scheme, method, path, rail, description } = row
    const listing = { host, scheme, method, path, rail, description, ...listingOf(row) }
    const placement = log.place(host_id, listingText(listing))
    log.keep(placement)
    return [host_id, route_id, row.source, row.price, row.network, placement.id]
  })
  const columns = { ...ROUTE, source: 'text', price: 'int', network: 'text', log_id: 'int' } as const
  transaction.changedRows += found.rows.filter(({ log_id }) => log_id !== null).length
  // Nothing of a row that ended: it is logged again when it comes back, on whatever day.
  await sql`update listings set logged_us = case when listings.gone_us is null then listings.last_us end,
      log_id = coalesce(listings.log_id, v.log_id)
    from ${dialect.rows(columns, rows)} as v where listings.host_id = v.host_id and listings.route_id = v.route_id
      and listings.source = v.source and listings.price = v.price and listings.network = v.network
      ${among('listings.host_id')}`.execute(writer)
  return rows.length
}
