import { type RawBuilder, sql } from 'kysely'

/** Stands in the key of a retirement where the whole host is meant. */
export const WHOLE_HOST = -1

/** That a route is retired, alone or with its host; over any table with both numbers. */
export const isRetired = (
  alias: string,
  hostId: RawBuilder<unknown> = sql.ref(`${alias}.host_id`),
): RawBuilder<unknown> => sql`exists (select 1 from retirements as g
  where g.host_id = ${hostId}
    and g.route_id in (${sql.lit(WHOLE_HOST)}, ${sql.ref(`${alias}.route_id`)}))`

/** That its seller did not retire the route alone. Of a host that is retired as a whole, all its routes are spoken of. */
const isSold = (
  alias: string,
  hostId: RawBuilder<unknown> = sql.ref(`${alias}.host_id`),
): RawBuilder<unknown> => sql`not exists (select 1 from retirements as g
  where g.host_id = ${hostId} and g.route_id = ${sql.ref(`${alias}.route_id`)})`

/** That a source names the route, or none ever did, and that its seller did not retire it alone. */
export const isThere = (
  alias: string,
  hostId: RawBuilder<unknown> = sql.ref(`${alias}.host_id`),
): RawBuilder<unknown> => sql`not exists (select 1 from unlisted as u
  where u.host_id = ${hostId} and u.route_id = ${sql.ref(`${alias}.route_id`)}) and ${isSold(alias, hostId)}`

/** The whole host, of hosts under this alias: what a subquery is from. */
export const fromRetired = (
  alias: string,
  hostId: RawBuilder<unknown> = sql.ref(`${alias}.host_id`),
): RawBuilder<unknown> => sql`from retirements as g where g.host_id = ${hostId} and g.route_id = ${sql.lit(WHOLE_HOST)}`
