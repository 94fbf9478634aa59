import { sql } from 'kysely'
import type { Writer } from '../../schema.ts'
import type { Dialect } from '../../sql/dialect.ts'

/**
 * When routes are probed, and what is left of entries that are no longer kept. `schedule` belongs to its routes like
 * every per-host table, and so does `host_turns`, which is claimed across hosts.
 */
const STATEMENTS = `
create table schedule (
  host_id bigint not null, route_id bigint not null, due_us bigint, probed_us bigint,
  last_result $text, early_looks integer not null,
  primary key (host_id, route_id)) $clustered;
create index schedule_by_due on schedule (host_id, due_us);

create table host_turns (
  host_id bigint not null, due_us bigint, lease_by $text, not_before_us bigint not null,
  routes bigint not null, methods $text not null, robots $text,
  primary key (host_id)) $clustered;
create index host_turns_by_due on host_turns (due_us);

create table folded_routes (
  host_id bigint not null, route_id bigint not null,
  answers bigint not null, correct_402 bigint not null, failed bigint not null, unreachable bigint not null,
  newest_us bigint not null, challenge_us bigint, challenge_id bigint,
  primary key (host_id, route_id)) $clustered;

create table folded_latency (
  host_id bigint not null, latency_ms bigint not null, n bigint not null,
  primary key (host_id, latency_ms)) $clustered;

create table retention (kept_since_us bigint not null)`

export async function schedule(writer: Writer, dialect: Dialect): Promise<void> {
  const sqlite = dialect.engine === 'sqlite'
  const statements = STATEMENTS.replaceAll('$text', sqlite ? 'text' : 'text collate "C"')
    .replaceAll('$clustered', sqlite ? 'without rowid' : '')
    .split(';')
  for (const statement of statements) await sql.raw(statement).execute(writer)
}
