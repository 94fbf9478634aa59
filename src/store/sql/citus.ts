import { sql } from 'kysely'
import type { Dialect, Rows } from './dialect.ts'
import { groupBy } from './group.ts'
import { LONGEST_WRITE_US, postgresDialect } from './postgres.ts'
import { ofRows } from './rows-statement.ts'
import { shardAt } from './shards.ts'

const WRITING_LOCK = 8_402_186

/** Said of every table of a statement, only the shards of these hosts are asked. */
const among: Dialect['among'] = (column, hostIds) =>
  hostIds === 'later'
    ? amongRows(column, 'later', 0)
    : sql`and ${sql.ref(column)} = any(${[...new Set(hostIds)]}::bigint[])`

/** The same of the hosts that rows name at this place. */
const amongRows = (column: string, rows: Rows, place: number) => {
  const hostIds = ofRows(rows, (given) => [...new Set(given.map((row) => Number(row[place])))])
  return sql`and ${sql.ref(column)} = any(${hostIds}::bigint[])`
}

/** Postgres with tables that lie on several machines, in shards that begin at these hashes. */
export const citusDialect = (lowerEnds: readonly number[]): Dialect => ({
  ...postgresDialect,
  name: 'citus',
  // Rows of no table belong to no shard, so that nothing could be asked about each of them.
  hostRows: (columns, rows) => {
    const names = Object.keys(columns).map((name) => sql.ref(name === 'host_id' ? 'a.host_id' : `u.${name}`))
    const place = Object.keys(columns).indexOf('host_id')
    return sql`(select ${sql.join(names)} from ${postgresDialect.rows(columns, rows)} as u
      join hosts as a on a.host_id = u.host_id ${amongRows('a.host_id', rows, place)})`
  },
  among,
  // Of what writes on other machines, the coordinator knows neither its number nor when it is to be seen there. A lock it
  // keeps until then.
  begin: async (writer) => {
    await sql`select pg_advisory_xact_lock_shared(${sql.lit(WRITING_LOCK)})`.execute(writer)
  },
  // The newest of all machines is too much to ask with every write.
  nowAfter: () => postgresDialect.nowUs,
  completeUntilUs: async (reader) => {
    const { nowUs } = postgresDialect
    const found = await sql<{ us: number }>`select greatest(${nowUs} - ${sql.lit(LONGEST_WRITE_US)}, least(${nowUs},
        (select (extract(epoch from min(a.xact_start)) * 1000000)::bigint from pg_locks as l
          join pg_stat_activity as a on a.pid = l.pid
          where l.locktype = 'advisory' and l.objid = ${sql.lit(WRITING_LOCK)} and a.datname = current_database()))) as us`.execute(
      reader,
    )
    return found.rows[0]?.us ?? 0
  },
  // No statement locks rows of several shards: what is taken is looked at again by whoever writes it.
  skipLocked: sql``,
  // Both tables count routes.
  lockRows: async (writer, { table, which }) => {
    await sql`update ${sql.table(table)} set routes = routes where ${which}`.execute(writer)
  },
  shards: lowerEnds.length,
  shardOf: (hostId) => shardAt(lowerEnds, hostId),
  claimHosts: async (writer, { most, pick, update }) => {
    const picked = await pick(most * lowerEnds.length).execute(writer)
    if (picked.rows.length === 0) return []
    const parts = [...groupBy(picked.rows, ({ host_id }) => shardAt(lowerEnds, host_id)).values()]
    // Any one, so that several programs seldom want the same; and where few are due, all.
    const part = picked.rows.length > most ? parts[Math.floor(Math.random() * parts.length)] : picked.rows
    const ids = (part ?? []).slice(0, most).map(({ host_id }) => sql`${host_id}`)
    const claimed = await update(sql.join(ids)).execute(writer)
    return claimed.rows.map(({ host_id }) => host_id)
  },
})
