import { type RawBuilder, sql } from 'kysely'

/** The few places where the two engines speak differently. Everything else is one SQL for both. */
export interface Dialect {
  readonly engine: 'sqlite' | 'postgres'
  /** A table expression of many rows in few parameters, to be aliased by the caller. */
  rows(columns: Columns, rows: readonly Row[]): RawBuilder<unknown>
  /** A subquery's rows as one JSON array of objects, in the subquery's order; `json` columns are such arrays themselves. */
  jsonRows(columns: JsonColumns, subquery: RawBuilder<unknown>): RawBuilder<unknown>
  /** The greater and the lesser of two values, where null counts as absent. */
  greatest(a: RawBuilder<unknown>, b: RawBuilder<unknown>): RawBuilder<unknown>
  least(a: RawBuilder<unknown>, b: RawBuilder<unknown>): RawBuilder<unknown>
  /** The store's own clock in microseconds: one for all programs that share it. */
  readonly nowUs: RawBuilder<number>
}

export type Columns = Readonly<Record<string, 'int' | 'text'>>
export type JsonColumns = Readonly<Record<string, 'value' | 'json'>>
export type Row = readonly (string | number | null)[]

const list = (parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => sql.join(parts, sql`, `)

export const sqliteDialect: Dialect = {
  engine: 'sqlite',
  rows: (columns, rows) => {
    const fields = Object.keys(columns).map((name, index) => sql`value ->> ${sql.lit(index)} as ${sql.ref(name)}`)
    return sql`(select ${list(fields)} from jsonb_each(${JSON.stringify(rows)}))`
  },
  jsonRows: (columns, subquery) => {
    const fields = Object.entries(columns).map(([name, type]) =>
      type === 'json'
        ? sql`${sql.lit(name)}, json(${sql.ref(`agg.${name}`)})`
        : sql`${sql.lit(name)}, ${sql.ref(`agg.${name}`)}`,
    )
    return sql`(select coalesce(json_group_array(json_object(${list(fields)})), '[]') from (${subquery}) as agg)`
  },
  greatest: (a, b) => sql`coalesce(max(${a}, ${b}), ${a}, ${b})`,
  least: (a, b) => sql`coalesce(min(${a}, ${b}), ${a}, ${b})`,
  nowUs: sql`cast(unixepoch('subsec') * 1000000 as integer)`,
}

const POSTGRES_TYPE = { int: sql`bigint[]`, text: sql`text[]` }

export const postgresDialect: Dialect = {
  engine: 'postgres',
  rows: (columns, rows) => {
    const arrays = Object.values(columns).map(
      (type, index) => sql`${rows.map((row) => row[index] ?? null)}::${POSTGRES_TYPE[type]}`,
    )
    return sql`(select * from unnest(${list(arrays)}) as u(${list(Object.keys(columns).map((name) => sql.ref(name)))}))`
  },
  jsonRows: (columns, subquery) => {
    const fields = Object.keys(columns).map((name) => sql`${sql.lit(name)}, ${sql.ref(`agg.${name}`)}`)
    return sql`(select coalesce(json_agg(json_build_object(${list(fields)})), '[]') from (${subquery}) as agg)`
  },
  greatest: (a, b) => sql`greatest(${a}, ${b})`,
  least: (a, b) => sql`least(${a}, ${b})`,
  nowUs: sql`(extract(epoch from clock_timestamp()) * 1000000)::bigint`,
}
