import { sql } from 'kysely'
import type { Writer } from '../../schema.ts'
import type { Dialect } from '../../sql/dialect.ts'

/** Of the tree without leaves: the SHA-256 of nothing, in Base 64. */
const EMPTY_ROOT = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='

const STATEMENTS = `
create table log_entries (entry_id $id primary key, host_id bigint, body $text not null);
create table log_runs (entry_id bigint not null, n bigint not null, idx bigint not null, primary key (entry_id)) $clustered;
create unique index log_runs_by_index on log_runs (idx);
create table log_tiles (level integer not null, n bigint not null, hashes $text not null, primary key (level, n)) $clustered;
create table log_state (
  one integer not null primary key, size bigint not null, root $text not null, grown_us bigint not null,
  settled_id bigint not null, lease_by $text, lease_until_us bigint not null);
insert into log_state values (1, 0, '${EMPTY_ROOT}', 0, -1, null, 0);
create table log_cosignatures (
  witness $text not null, size bigint not null, line $text not null, at_us bigint not null, primary key (witness)) $clustered;
create table log_history (host_id bigint not null, primary key (host_id)) $clustered;
insert into log_history select host_id from hosts;
alter table host_counters add column log_id bigint;
alter table listings add column log_id bigint;
alter table listings add column logged_us bigint;
alter table payees add column log_id bigint;
alter table ownership add column log_id bigint;
alter table probes add column log_id bigint;
alter table reviews add column log_id bigint;
alter table posts add column log_id bigint`

/** What transactions say to the evidence log, the log's tree, and where in it each piece of evidence stands. */
export async function evidenceLog(writer: Writer, dialect: Dialect): Promise<void> {
  const sqlite = dialect.engine === 'sqlite'
  // Numbers of entries come in blocks, one for each transaction, so that nobody waits for anybody.
  if (!sqlite) await sql`create sequence log_entry_ids increment by 1000 minvalue 0 start with 0`.execute(writer)
  for (const statement of STATEMENTS.split(';')) {
    const written = statement
      .replaceAll('$text', sqlite ? 'text' : 'text collate "C"')
      .replaceAll('$id', sqlite ? 'integer' : 'bigint')
      .replaceAll('$clustered', sqlite ? 'without rowid' : '')
    await sql.raw(written).execute(writer)
  }
}
