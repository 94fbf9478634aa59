import { sql } from 'kysely'
import type { Writer } from '../../schema.ts'
import type { Dialect } from '../../sql/dialect.ts'

/** For which directory a review was signed, where its lines say so. */
export async function reviewDirectory(writer: Writer, dialect: Dialect): Promise<void> {
  const text = dialect.engine === 'sqlite' ? 'text' : 'text collate "C"'
  await sql.raw(`alter table reviews add column directory ${text}`).execute(writer)
}
