import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from './dialect.ts'

/** After a table's name. SQLite has no statistics and would read all rows of a host rather than look up few by an index. */
export const walking = (dialect: Dialect, index: string): RawBuilder<unknown> =>
  dialect.engine === 'sqlite' ? sql`indexed by ${sql.ref(index)}` : sql``
