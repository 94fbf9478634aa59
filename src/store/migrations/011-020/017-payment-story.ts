import { sql } from 'kysely'
import type { Writer } from '../../schema.ts'
import type { Dialect } from '../../sql/dialect.ts'

/** What was done about each payment and what was answered, step by step, for its operator. */
const STATEMENT = `create table payment_story (
  payment_key $text not null, n bigint not null, act $text not null, said $text not null,
  first_us bigint not null, last_us bigint not null, times bigint not null,
  primary key (payment_key, n)) $clustered`

export async function paymentStory(writer: Writer, dialect: Dialect): Promise<void> {
  const sqlite = dialect.engine === 'sqlite'
  const statement = STATEMENT.replaceAll('$text', sqlite ? 'text' : 'text collate "C"').replaceAll(
    '$clustered',
    sqlite ? 'without rowid' : '',
  )
  await sql.raw(statement).execute(writer)
}
