import { sql } from 'kysely'
import type { Writer } from '../../schema.ts'
import type { Dialect } from '../../sql/dialect.ts'

/** Who proved to speak for a host, since when and until when; what they said; what they took out of sale. */
const STATEMENTS = `
create table claims (
  host_id bigint not null, wallet_key $text not null, wallet $text not null, wallet_line $text not null,
  signature $text not null, signed_at $text not null, directory $text, claimed_us bigint not null,
  due_us bigint not null,
  primary key (host_id, wallet_key)) $clustered;
create index claims_by_due on claims (due_us);

create table claim_proofs (
  host_id bigint not null, wallet_key $text not null, proof $text not null, since_us bigint not null,
  seen_us bigint not null, until_us bigint,
  primary key (host_id, wallet_key, proof, since_us)) $clustered;

create table statements (
  host_id bigint not null, statement_id $text not null, kind $text not null, about $text not null, route_id bigint,
  text $text not null, wallet $text not null, signature $text not null, signed_at $text not null, directory $text,
  submitted_us bigint not null, hidden_us bigint, hidden_reason $text,
  primary key (host_id, statement_id)) $clustered;
create index statements_by_time on statements (host_id, submitted_us, statement_id);
create index statements_by_id on statements (statement_id);

create table retirements (
  host_id bigint not null, route_id bigint not null, since_us bigint not null, statement_id $text not null,
  moved_to $text,
  primary key (host_id, route_id)) $clustered`

export async function sellers(writer: Writer, dialect: Dialect): Promise<void> {
  const sqlite = dialect.engine === 'sqlite'
  const statements = STATEMENTS.replaceAll('$text', sqlite ? 'text' : 'text collate "C"')
    .replaceAll('$clustered', sqlite ? 'without rowid' : '')
    .split(';')
  for (const statement of statements) await sql.raw(statement).execute(writer)
}
