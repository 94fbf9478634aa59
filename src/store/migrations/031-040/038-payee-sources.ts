import { sql } from 'kysely'
import type { Writer } from '../../schema.ts'
import type { Dialect } from '../../sql/dialect.ts'

/** In which source's room a payee is; of those from before it is not known until a source names them again. */
export async function payeeSources(writer: Writer, dialect: Dialect): Promise<void> {
  const text = dialect.engine === 'sqlite' ? 'text' : 'text collate "C"'
  await sql.raw(`alter table payees add column source ${text} not null default ''`).execute(writer)
}
