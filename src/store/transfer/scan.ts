import { type RawBuilder, sql } from 'kysely'
import { addressOf, type Method, type Rail, type Scheme } from '../../domain/route.ts'
import type { Reader } from '../schema.ts'

const PAGE = 5000

type Keys = readonly string[]

/** A table page by page in key order, each row with the names of its host and route. */
export async function* scan<Row extends object>(
  reader: Reader,
  table: string,
  key: Keys,
  fields: RawBuilder<unknown>,
  route: 'join' | 'left join' | null,
  which: RawBuilder<unknown> = sql`true`,
): AsyncGenerator<(Row & Named)[]> {
  const keys = sql.join(key.map((name) => sql.ref(`t.${name}`)))
  const join =
    route === null ? sql`` : sql`${sql.raw(route)} routes as r on r.host_id = t.host_id and r.route_id = t.route_id`
  const named = route === null ? sql`` : sql`, r.scheme, r.method as route_method, r.path, r.rail as route_rail`
  let after: unknown[] | undefined
  for (;;) {
    const position: RawBuilder<unknown> = after ? sql`and (${keys}) > (${sql.join(after)})` : sql``
    const found = await sql<Row & Named>`select t.*, h.name as host_name ${named} ${fields}
      from ${sql.table(table)} as t join hosts as h on h.host_id = t.host_id ${join} where ${which} ${position}
      order by ${keys} limit ${sql.lit(PAGE)}`.execute(reader)
    if (found.rows.length > 0) yield found.rows
    const last = found.rows.at(-1)
    if (found.rows.length < PAGE || last === undefined) return
    after = key.map((name) => Reflect.get(last, name))
  }
}

export interface Named {
  host_name: string
  scheme: Scheme
  route_method: Method
  path: string
  route_rail: Rail
}

export const routeFields = (row: Named) => ({
  method: row.route_method,
  url: addressOf(row.scheme, row.host_name, row.path),
  rail: row.route_rail,
})
