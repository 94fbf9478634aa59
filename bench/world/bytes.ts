import { sql } from 'kysely'
import type { Store } from '../../src/store/store.ts'

/** Which tables, with their indexes, make up what: everything else of a world is empty. */
const PARTS = {
  'entry: itself': ['probes'],
  'entry: counters': ['host_days', 'host_latency'],
  'entry: log': ['log_entries', 'log_bundles', 'log_runs', 'log_tiles'],
  route: ['routes', 'route_state', 'listings', 'descriptions', 'challenges', 'schedule'],
  'host: itself': ['hosts', 'host_counters', 'host_turns'],
  'host: search': ['search_words', 'search_grams', 'search_places'],
} as const
export type Part = keyof typeof PARTS

export async function bytesOf(store: Store): Promise<ReadonlyMap<Part, number>> {
  const tables = await bytesByTable(store)
  const sum = (names: readonly string[]): number => names.reduce((all, name) => all + (tables.get(name) ?? 0), 0)
  const parts = Object.keys(PARTS).filter((part): part is Part => part in PARTS)
  return new Map(parts.map((part) => [part, sum(PARTS[part])]))
}

/** With indexes; of entries with those of all months. */
async function bytesByTable({ dialect, read }: Store): Promise<ReadonlyMap<string, number>> {
  const found =
    dialect.engine === 'sqlite'
      ? await sql<{ name: string; bytes: number }>`select m.tbl_name as name, sum(d.pgsize) as bytes
          from dbstat as d join sqlite_master as m on m.name = d.name where d.aggregate = true group by m.tbl_name`.execute(
          read,
        )
      : await sql<{ name: string; bytes: number }>`select coalesce(p.relname, c.relname) as name,
            sum(pg_total_relation_size(c.oid)) as bytes
          from pg_class as c left join pg_inherits as i on i.inhrelid = c.oid left join pg_class as p on p.oid = i.inhparent
          where c.relkind = 'r' group by 1`.execute(read)
  return new Map(found.rows.map(({ name, bytes }) => [name, Number(bytes)]))
}
