import { sql } from 'kysely'
import { RANK } from '../../probes/run-rank.ts'
import type { Writer } from '../../schema.ts'
import type { Dialect } from '../../sql/dialect.ts'

/**
 * The route that stands for its host is the first of equal ones. SQLite's indexes end in the key of their table; Postgres
 * would read all that are equal to find it, and they may be every route of a large host.
 */
const STATEMENTS = `
drop index route_state_by_run;
create index route_state_by_run on route_state (host_id, (${RANK}), now_since_us, route_id);
drop index route_state_by_check;
create index route_state_by_check on route_state (host_id, probe_status, price, route_id)`

export async function tiesOfRoutes(writer: Writer, dialect: Dialect): Promise<void> {
  if (dialect.engine === 'sqlite') return
  for (const statement of STATEMENTS.split(';')) await sql.raw(statement).execute(writer)
}
