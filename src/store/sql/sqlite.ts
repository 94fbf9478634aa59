import { sql } from 'kysely'
import { claimPicked } from './claim-picked.ts'
import type { Dialect } from './dialect.ts'
import { NOTHING_BESIDE } from './json-rows.ts'
import { EACH, ofRows } from './rows-statement.ts'

const rows: Dialect['rows'] = (columns, values) => {
  const fields = Object.keys(columns).map((name, index) => sql`value ->> ${sql.lit(index)} as ${sql.ref(name)}`)
  return sql`(select ${sql.join(fields)} from jsonb_each(${ofRows(values, (given) => JSON.stringify(given))}))`
}

const nowUs = sql<number>`cast(unixepoch('subsec') * 1000000 as integer)`

/** One transaction writes at a time: what it has read stays so until it ends, and nobody else holds anything. */
export const sqliteDialect: Dialect = {
  engine: 'sqlite',
  name: 'sqlite',
  rows,
  hostRows: rows,
  longRows: (columns) => sql`values (${sql.join(Object.keys(columns).map(() => EACH))})`,
  among: () => sql``,
  jsonRows: (columns, subquery, { as, columns: beside } = NOTHING_BESIDE) => {
    const fields = Object.entries(columns).map(([name, kind]) => {
      const column = sql.ref(`${as}.${name}`)
      // What a subquery answers is text to it, whatever that was made of.
      return beside[name] ?? (kind === 'value' ? column : sql`json(${column})`)
    })
    return sql`(select json_group_array(json_array(${sql.join(fields)})) from (${subquery}) as ${sql.ref(as)})`
  },
  jsonValues: (subquery) => sql`(select json_group_array(agg.value) from (${subquery}) as agg)`,
  rowAt: (table, as, key) => sql`join ${sql.table(table)} as ${sql.ref(as)} on ${key}`,
  greatest: (a, b) => sql`coalesce(max(${a}, ${b}), ${a}, ${b})`,
  least: (a, b) => sql`coalesce(min(${a}, ${b}), ${a}, ${b})`,
  // Without statistics it would read all rows of a host rather than look up few by an index.
  indexHint: (index) => sql`indexed by ${sql.ref(index)}`,
  nowUs,
  // Its clock counts milliseconds.
  nowAfter: (newest) => sql`max(${nowUs}, ${newest} + 1)`,
  completeUntilUs: async () => null,
  skipLocked: sql``,
  begin: async () => undefined,
  shards: 1,
  shardOf: () => 0,
  claimHosts: claimPicked(sql``),
  lock: async () => undefined,
  lockRows: async () => undefined,
  lockClaims: async () => undefined,
  lockSchema: async () => undefined,
  // Whoever writes has the whole file: what is committed is in the order of its numbers. The newest may be packed already.
  entryIds: async (writer) => {
    const found = await sql<{
      first: number
      us: number
    }>`select max(coalesce((select max(entry_id) + 1 from log_entries), 0),
        coalesce((select entry_id + n from log_runs order by entry_id desc limit 1), 0)) as first, ${nowUs} as us`.execute(
      writer,
    )
    return { nowUs: found.rows[0]?.us ?? 0, blocks: [{ first: found.rows[0]?.first ?? 0, n: Number.MAX_SAFE_INTEGER }] }
  },
  oldestWriter: async () => null,
  writerNumber: async () => 0,
  insertFree: async (writer, insert, keys) => {
    await insert.execute(writer)
    return keys
  },
}
