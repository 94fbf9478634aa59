import { sql } from 'kysely'
import type { Writer } from '../../schema.ts'
import type { Dialect } from '../../sql/dialect.ts'

/** Which keys have signed a log: that of this store, or that of the store which a backup was taken of. */
export async function logKeys(writer: Writer, dialect: Dialect): Promise<void> {
  const [text, clustered] = dialect.engine === 'sqlite' ? ['text', 'without rowid'] : ['text collate "C"', '']
  await sql
    .raw(`create table log_keys (vkey ${text} not null, size bigint, root ${text}, primary key (vkey)) ${clustered}`)
    .execute(writer)
}
