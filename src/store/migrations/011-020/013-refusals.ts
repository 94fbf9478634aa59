import { sql } from 'kysely'
import type { Writer } from '../../schema.ts'
import type { Dialect } from '../../sql/dialect.ts'

/** What sweeps refused: examples of each source's newest sweep, and item by item of each document that a seller sends. */
const STATEMENTS = `
create table refusals (
  source $text not null, reason $text not null, item $text not null, started_us bigint not null,
  primary key (source, reason, item)) $clustered;

create table read_documents (
  host $text not null, source $text not null, url $text not null, sha256 $text not null, read_us bigint not null,
  seen bigint not null, stored bigint not null, refused $text not null, refused_total bigint not null,
  primary key (host, source)) $clustered`

export async function refusals(writer: Writer, dialect: Dialect): Promise<void> {
  const sqlite = dialect.engine === 'sqlite'
  const statements = STATEMENTS.replaceAll('$text', sqlite ? 'text' : 'text collate "C"')
    .replaceAll('$clustered', sqlite ? 'without rowid' : '')
    .split(';')
  for (const statement of statements) await sql.raw(statement).execute(writer)
}
