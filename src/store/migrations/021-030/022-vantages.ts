import { sql } from 'kysely'
import type { Writer } from '../../schema.ts'
import type { Dialect } from '../../sql/dialect.ts'

/**
 * From where probes looked: names with small numbers, which entries carry, what each vantage sees of a route, and a
 * schedule for each. What was scheduled before is that of probers without a name (0).
 */
const STATEMENTS = `
create table vantages (vantage_id integer not null, name $text not null, primary key (vantage_id)) $clustered;
create unique index vantages_by_name on vantages (name);
alter table probes add column vantage_id integer;
alter table probes add column shield integer;
alter table route_state add column sights $text;
alter table folded_routes add column sights $text;

drop index schedule_by_due;
alter table schedule rename to schedule_before;
create table schedule (
  host_id bigint not null, vantage_id integer not null, route_id bigint not null, due_us bigint, probed_us bigint,
  last_result $text, early_looks integer not null,
  primary key (host_id, vantage_id, route_id)) $clustered;
insert into schedule select host_id, 0, route_id, due_us, probed_us, last_result, early_looks from schedule_before;
drop table schedule_before;
create index schedule_by_due on schedule (host_id, vantage_id, due_us);

drop index host_turns_by_due;
alter table host_turns rename to host_turns_before;
create table host_turns (
  host_id bigint not null, vantage_id integer not null, due_us bigint, lease_by $text, not_before_us bigint not null,
  routes bigint not null, methods $text not null, robots $text,
  primary key (host_id, vantage_id)) $clustered;
insert into host_turns select host_id, 0, due_us, lease_by, not_before_us, routes, methods, robots from host_turns_before;
drop table host_turns_before;
create index host_turns_by_due on host_turns (vantage_id, due_us)`

export async function vantages(writer: Writer, dialect: Dialect): Promise<void> {
  const sqlite = dialect.engine === 'sqlite'
  const statements = STATEMENTS.replaceAll('$text', sqlite ? 'text' : 'text collate "C"')
    .replaceAll('$clustered', sqlite ? 'without rowid' : '')
    .split(';')
  for (const statement of statements) await sql.raw(statement).execute(writer)
}
