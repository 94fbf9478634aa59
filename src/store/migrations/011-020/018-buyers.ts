import { sql } from 'kysely'
import type { Writer } from '../../schema.ts'
import type { Dialect } from '../../sql/dialect.ts'

const COUNTERS = [
  'served_verified',
  'not_served_verified',
  'served_signed',
  'not_served_signed',
  'served_unsigned',
  'not_served_unsigned',
]

/**
 * What buyers say that a paid call brought and how many were served; what sellers put their signatures to, and the keys
 * that their DID documents named, with when.
 */
export async function buyers(writer: Writer, dialect: Dialect): Promise<void> {
  const text = dialect.engine === 'sqlite' ? 'text' : 'text collate "C"'
  const counters = ['host_counters', 'route_state'].flatMap((table) =>
    COUNTERS.map((column) => `alter table ${table} add column ${column} bigint not null default 0`),
  )
  for (const statement of [
    `alter table reviews add column outcome ${text}`,
    'alter table reviews add column served integer',
    'create index reviews_not_served on reviews (host_id, route_id, submitted_us) where served = 0',
    ...counters,
    `create table signed_offers (host_id bigint not null, route_id bigint not null, offer_id ${text} not null,
      body ${text} not null, found ${text} not null, first_us bigint not null, last_us bigint not null,
      primary key (host_id, route_id, offer_id))`,
    'create index signed_offers_by_time on signed_offers (host_id, route_id, last_us)',
    `create table offer_keys (host_id bigint not null, kid ${text} not null, jwk ${text} not null,
      first_us bigint not null, last_us bigint not null, gone_us bigint, primary key (host_id, kid, jwk, first_us))`,
  ])
    await sql.raw(statement).execute(writer)
}
