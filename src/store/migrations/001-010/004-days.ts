import { sql } from 'kysely'
import type { Writer } from '../../schema.ts'
import type { Dialect } from '../../sql/dialect.ts'

/** What each day saw at each host, counted from the entries that are kept. `$clustered` stands for what differs between the engines. */
const STATEMENTS = `
create table host_days (
  host_id bigint not null, day integer not null,
  answers bigint not null, correct_402 bigint not null, failed bigint not null, unreachable bigint not null,
  latency_sum_ms bigint not null,
  primary key (host_id, day)) $clustered;
alter table host_counters add column newest_402_us bigint;

insert into host_days (host_id, day, answers, correct_402, failed, unreachable, latency_sum_ms)
  select host_id, at_us / 86400000000,
    sum(case when status between 1 and 399 then 1 else 0 end), sum(case when status = 402 then 1 else 0 end),
    sum(case when status >= 400 and status <> 402 then 1 else 0 end), sum(case when status = 0 then 1 else 0 end),
    sum(case when status = 0 then 0 else latency_ms end)
  from probes group by host_id, at_us / 86400000000;
update host_counters set newest_402_us = (select max(p.at_us) from probes as p
  where p.host_id = host_counters.host_id and p.status = 402)`

export async function days(writer: Writer, dialect: Dialect): Promise<void> {
  const sqlite = dialect.engine === 'sqlite'
  const statements = STATEMENTS.replaceAll('$clustered', sqlite ? 'without rowid' : '').split(';')
  for (const statement of statements) await sql.raw(statement).execute(writer)
  // Today's row changes with every batch: room on each page keeps the new version of a row beside the old one.
  if (!sqlite) await sql.raw('alter table host_days set (fillfactor = 70)').execute(writer)
}
