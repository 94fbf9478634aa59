import { sql } from 'kysely'
import type { Writer } from '../../schema.ts'
import type { Dialect } from '../../sql/dialect.ts'

/** Entries of the log that will never change place, many together and compressed. */
export async function packedLog(writer: Writer, { engine }: Dialect): Promise<void> {
  const [id, bytes] = engine === 'sqlite' ? ['integer', 'blob'] : ['bigint', 'bytea']
  await sql.raw(`create table log_bundles (n ${id} primary key, body ${bytes} not null)`).execute(writer)
  // They are compressed already.
  if (engine !== 'sqlite')
    await sql.raw('alter table log_bundles alter column body set storage external').execute(writer)
}
