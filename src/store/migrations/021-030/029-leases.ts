import { sql } from 'kysely'
import type { Writer } from '../../schema.ts'
import type { Dialect } from '../../sql/dialect.ts'

/** Who does what only one program may do at a time, and until when it is its own. */
export async function leases(writer: Writer, dialect: Dialect): Promise<void> {
  const [text, clustered] = dialect.engine === 'sqlite' ? ['text', 'without rowid'] : ['text collate "C"', '']
  await sql
    .raw(`create table leases (
      name ${text} not null, held_by ${text} not null, until_us bigint not null, primary key (name)) ${clustered}`)
    .execute(writer)
}
