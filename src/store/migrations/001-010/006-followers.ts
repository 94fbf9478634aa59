import { sql } from 'kysely'
import type { Writer } from '../../schema.ts'
import type { Dialect } from '../../sql/dialect.ts'

/** What those who follow announcements need. `$clustered` stands for what differs between the engines. */
const STATEMENTS = `
alter table events add column saved_us bigint not null default 0;
update events set saved_us = at_us;
create index events_by_arrival on events (saved_us, host_id, event_id);
create index events_by_host_arrival on events (host_id, saved_us, event_id);

create table unlisted (
  host_id bigint not null, route_id bigint not null, since_us bigint not null,
  primary key (host_id, route_id)) $clustered`

export async function followers(writer: Writer, dialect: Dialect): Promise<void> {
  const clustered = dialect.engine === 'sqlite' ? 'without rowid' : ''
  const statements = STATEMENTS.replaceAll('$clustered', clustered).split(';')
  for (const statement of statements) await sql.raw(statement).execute(writer)
}
