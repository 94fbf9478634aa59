import { sql } from 'kysely'
import { endOfStep } from '../../facts/unlisted.ts'
import { refreshMedians, setSummaries } from '../../hosts/summaries.ts'
import { RANK } from '../../probes/run-rank.ts'
import { setRuns } from '../../probes/runs.ts'
import type { Writer } from '../../schema.ts'
import type { Dialect } from '../../sql/dialect.ts'

/** The run that a route's newest entry belongs to, worst first within a host, and what routes sum up to. */
const STATEMENTS = `
alter table route_state add column now_status integer;
alter table route_state add column now_since_us bigint;
alter table route_state add column last_402_us bigint;
alter table folded_routes add column now_status integer;
alter table folded_routes add column now_since_us bigint;
alter table folded_routes add column last_402_us bigint;
create index route_state_by_run on route_state (host_id, (${RANK}), now_since_us);

alter table host_counters add column now_answers bigint not null default 0;
alter table host_counters add column now_402 bigint not null default 0;
alter table host_counters add column now_failed bigint not null default 0;
alter table host_counters add column now_unreachable bigint not null default 0;
alter table host_counters add column routes_verified bigint not null default 0;
alter table host_counters add column routes_differs bigint not null default 0;
alter table host_counters add column price_min bigint;
alter table host_counters add column median_sum_ms bigint;
alter table host_counters add column median_samples bigint not null default 0;
create index host_counters_by_price on host_counters ((coalesce(-price_min, -9007199254740991)), host_id);
create index host_counters_by_latency on host_counters ((coalesce(-median_sum_ms, -9007199254740991)), host_id);
create index route_state_by_check on route_state (host_id, probe_status, price)`

/** Of entries folded before there were runs nothing is known: a run then begins with the first entry that is kept. */
export async function now(writer: Writer, dialect: Dialect): Promise<void> {
  for (const statement of STATEMENTS.split(';')) await sql.raw(statement).execute(writer)
  for (let after = -1; ; ) {
    const end = await endOfStep(writer, after)
    if (end === null) return
    const within = sql`host_id > ${after} and host_id <= ${end}`
    await setRuns(writer, dialect, sql`select host_id, route_id from route_state where ${within} and probes > 0`)
    await setSummaries(sql`select host_id from hosts where ${within}`, undefined, ['unlisted']).execute(writer)
    await refreshMedians(sql`select host_id from hosts where ${within}`).execute(writer)
    after = end
  }
}
