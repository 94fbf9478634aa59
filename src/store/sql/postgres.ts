import { sql } from 'kysely'
import { claimPicked } from './claim-picked.ts'
import type { Dialect } from './dialect.ts'
import { NOTHING_BESIDE } from './json-rows.ts'
import { ARRAY_OF } from './postgres-arrays.ts'
import { ofRows } from './rows-statement.ts'

const TYPE = { int: sql`bigint[]`, text: sql`text[]` }

const rows: Dialect['rows'] = (columns, values) => {
  const arrays = Object.values(columns).map(
    (type, index) => sql`${ofRows(values, (given) => ARRAY_OF[type](given, index))}::${TYPE[type]}`,
  )
  const names = Object.keys(columns).map((name) => sql.ref(name))
  return sql`(select * from unnest(${sql.join(arrays)}) as u(${sql.join(names)}))`
}

const nowUs = sql<number>`(extract(epoch from clock_timestamp()) * 1000000)::bigint`

/** The clock may be set back, or be that of another machine that has taken the place. */
const nowAfter: Dialect['nowAfter'] = (newest) => sql`greatest(${nowUs}, ${newest} + 1)`

/** By which the sequence of their numbers grows. */
const ENTRIES_A_BLOCK = 1000

const SCHEMA_LOCK = 8_402_184
const CLAIMS_LOCK = 8_402_185

/** A transaction that takes longer than this is not waited for. */
export const LONGEST_WRITE_US = 60_000_000

const skipLocked = sql`for update skip locked`

export const postgresDialect: Dialect = {
  engine: 'postgres',
  name: 'postgres',
  rows,
  hostRows: rows,
  longRows: (columns, later) => {
    const names = Object.keys(columns).map((name) => sql.ref(name))
    return sql`select ${sql.join(names)} from ${rows(columns, later)} as v where true`
  },
  among: () => sql``,
  jsonRows: (columns, subquery, { as, columns: beside } = NOTHING_BESIDE) => {
    const fields = Object.keys(columns).map((name) => beside[name] ?? sql.ref(`${as}.${name}`))
    return sql`(select coalesce(json_agg(json_build_array(${sql.join(fields)})), '[]') from (${subquery}) as ${sql.ref(as)})`
  },
  jsonValues: (subquery) => sql`(select coalesce(json_agg(agg.value), '[]') from (${subquery}) as agg)`,
  // What has a limit of its own is not joined in another way.
  rowAt: (table, as, key) =>
    sql`join lateral (select * from ${sql.table(table)} as ${sql.ref(as)} where ${key} limit 1) as ${sql.ref(as)} on true`,
  greatest: (a, b) => sql`greatest(${a}, ${b})`,
  least: (a, b) => sql`least(${a}, ${b})`,
  indexHint: () => sql``,
  nowUs,
  nowAfter,
  // Whoever writes has begun before it took the time: what is older than every such beginning is settled. Whoever begins later
  // sees the newest, and comes after it.
  completeUntilUs: async (reader, newest) => {
    const found = await sql<{
      us: number
    }>`select greatest(${nowUs} - ${sql.lit(LONGEST_WRITE_US)}, least(${nowAfter(newest)},
        (select (extract(epoch from min(xact_start)) * 1000000)::bigint from pg_stat_activity
          where datname = current_database() and backend_xid is not null))) as us`.execute(reader)
    return found.rows[0]?.us ?? 0
  },
  skipLocked,
  begin: async () => undefined,
  shards: 1,
  shardOf: () => 0,
  claimHosts: claimPicked(skipLocked),
  lock: async (hold) => {
    await hold()
  },
  lockRows: async (writer, { table, which, order }) => {
    await sql`select 1 from ${sql.table(table)} where ${which} order by ${order} for update`.execute(writer)
  },
  lockClaims: async (writer) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(CLAIMS_LOCK)})`.execute(writer)
  },
  lockSchema: async (writer) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(SCHEMA_LOCK)})`.execute(writer)
  },
  entryIds: async (writer, entries) => {
    // A transaction takes its own number first: whoever holds a smaller number of an entry is seen to be under way. One
    // that nobody asks about is not taken at all, so it is asked about.
    const found = await sql<{ first: number; us: number }>`with own as materialized (select pg_current_xact_id() as n)
      select nextval('log_entry_ids') as first, ${nowUs} as us
      from own, generate_series(1, ${Math.ceil(entries / ENTRIES_A_BLOCK)}::integer) where own.n is not null`.execute(
      writer,
    )
    return {
      nowUs: found.rows[0]?.us ?? 0,
      blocks: found.rows.map(({ first }) => ({ first, n: ENTRIES_A_BLOCK })),
    }
  },
  oldestWriter: async (reader) => {
    const found = await sql<{ n: number }>`select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as n`.execute(
      reader,
    )
    return found.rows[0]?.n ?? 0
  },
  writerNumber: async (writer) => {
    const found = await sql<{ n: number }>`select pg_current_xact_id()::text::bigint as n`.execute(writer)
    return found.rows[0]?.n ?? Number.MAX_SAFE_INTEGER
  },
  insertFree: async (writer, insert, keys) => {
    const [first] = keys
    if (first === undefined) return []
    const names = Object.keys(first).map((name) => sql.ref(name))
    const inserted = await sql<(typeof keys)[number]>`${insert} returning ${sql.join(names)}`.execute(writer)
    return inserted.rows
  },
}
