import { sql } from 'kysely'
import type { Writer } from '../../schema.ts'
import type { Dialect } from '../../sql/dialect.ts'

/** Since when a review's text is taken from every page, and why. */
export async function hiddenReviews(writer: Writer, dialect: Dialect): Promise<void> {
  const text = dialect.engine === 'sqlite' ? 'text' : 'text collate "C"'
  await sql`alter table reviews add column hidden_us bigint`.execute(writer)
  await sql.raw(`alter table reviews add column hidden_reason ${text}`).execute(writer)
}
