import { sql } from 'kysely'
import type { Writer } from '../../schema.ts'
import type { Dialect } from '../../sql/dialect.ts'

/** Months of probe entries that are kept elsewhere for good, and may therefore be removed here. */
export async function archivedMonths(writer: Writer, dialect: Dialect): Promise<void> {
  const [text, clustered] = dialect.engine === 'sqlite' ? ['text', 'without rowid'] : ['text collate "C"', '']
  await sql
    .raw(`create table archived_months (
      month ${text} not null, entries bigint not null, archived_us bigint not null, primary key (month)) ${clustered}`)
    .execute(writer)
}
