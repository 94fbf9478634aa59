import { type RawBuilder, sql } from 'kysely'

/** The place in the log of the entry that a column names; null while it has none. */
export const logIndexOf = (column: string): RawBuilder<number | null> =>
  sql`(select case when ${sql.ref(column)} < g.entry_id + g.n then g.idx + ${sql.ref(column)} - g.entry_id end
    from log_runs as g where g.entry_id <= ${sql.ref(column)} order by g.entry_id desc limit 1)`
