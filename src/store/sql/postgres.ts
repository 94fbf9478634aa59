import { sql } from 'kysely'
import type { Dialect } from './dialect.ts'

const TYPE = { int: sql`bigint[]`, text: sql`text[]` }

const nowUs = sql<number>`(extract(epoch from clock_timestamp()) * 1000000)::bigint`

const SCHEMA_LOCK = 8_402_184

/** A transaction that takes longer than this is not waited for. */
const LONGEST_WRITE_US = 60_000_000

export const postgresDialect: Dialect = {
  engine: 'postgres',
  name: 'postgres',
  rows: (columns, rows) => {
    const arrays = Object.values(columns).map(
      (type, index) => sql`${rows.map((row) => row[index] ?? null)}::${TYPE[type]}`,
    )
    const names = Object.keys(columns).map((name) => sql.ref(name))
    return sql`(select * from unnest(${sql.join(arrays)}) as u(${sql.join(names)}))`
  },
  jsonRows: (columns, subquery) => {
    const fields = Object.keys(columns).map((name) => sql`${sql.lit(name)}, ${sql.ref(`agg.${name}`)}`)
    return sql`(select coalesce(json_agg(json_build_object(${sql.join(fields)})), '[]') from (${subquery}) as agg)`
  },
  greatest: (a, b) => sql`greatest(${a}, ${b})`,
  least: (a, b) => sql`least(${a}, ${b})`,
  indexHint: () => sql``,
  nowUs,
  nowAfter: () => nowUs,
  // Whoever writes has begun before it took the time: what is older than every such beginning is settled.
  completeUntilUs: async (reader) => {
    const found = await sql<{ us: number }>`select greatest(${nowUs} - ${sql.lit(LONGEST_WRITE_US)}, least(${nowUs},
        (select (extract(epoch from min(xact_start)) * 1000000)::bigint from pg_stat_activity
          where datname = current_database() and backend_xid is not null))) as us`.execute(reader)
    return found.rows[0]?.us ?? 0
  },
  skipLocked: sql`for update skip locked`,
  lock: async (writer, statement) => {
    await statement.execute(writer)
  },
  lockSchema: async (writer) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(SCHEMA_LOCK)})`.execute(writer)
  },
  insertFree: async (writer, insert, keys) => {
    const [first] = keys
    if (first === undefined) return []
    const names = Object.keys(first).map((name) => sql.ref(name))
    const inserted = await sql<(typeof keys)[number]>`${insert} returning ${sql.join(names)}`.execute(writer)
    return inserted.rows
  },
}
