import { type RawBuilder, sql } from 'kysely'
import { BIT_OF_COLUMN, RESULT_COLUMN } from '../hosts/result-columns.ts'
import type { FoldedRouteTable, Reader, Writer } from '../schema.ts'
import type { Dialect } from '../sql/dialect.ts'
import { NO_STATUS } from './no-status.ts'
import { runsOf } from './runs.ts'
import { type RouteUpTo, type SeenRoute, setSights, sightsOf } from './sights.ts'
import { hasVantages } from './vantages.ts'

// What entries counted for stays when they go: sums per route, and the histogram per host.

export const RESULT_COLUMNS = Object.values(RESULT_COLUMN)

const CONDITION: Readonly<Record<(typeof RESULT_COLUMNS)[number], string>> = {
  answers: 'status between 1 and 399',
  correct_402: 'status = 402',
  failed: 'status >= 400 and status <> 402',
  unreachable: `status = ${NO_STATUS}`,
}

/** How many of a group of entries are of each class. */
export const RESULT_SUMS = sql.join(
  RESULT_COLUMNS.map(
    (name) => sql`${sql.raw(`sum(case when ${CONDITION[name]} then 1 else 0 end)`)} as ${sql.ref(name)}`,
  ),
)

/** The classes of a group of entries, as `resultsIn` has them. */
export const RESULT_BITS = sql.join(
  RESULT_COLUMNS.map((name) => sql.raw(`max(case when ${CONDITION[name]} then ${BIT_OF_COLUMN[name]} else 0 end)`)),
  sql` + `,
)

/** What becomes of a folded route when more of it is folded; of its state these columns are those of the newer. */
export function joiningFolded(
  dialect: Dialect,
  state: readonly (keyof FoldedRouteTable)[],
  isNewer: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const both = (name: string) => [sql.ref(`folded_routes.${name}`), sql.ref(`excluded.${name}`)] as const
  const sums = RESULT_COLUMNS.map((name) => sql`${sql.ref(name)} = ${sql.join(both(name), sql` + `)}`)
  const states = state.map((name) => {
    const [known, more] = both(name)
    return sql`${sql.ref(name)} = case when ${isNewer} then ${more} else ${known} end`
  })
  const newer = sql`excluded.challenge_us is not null and (folded_routes.challenge_us is null
    or excluded.challenge_us > folded_routes.challenge_us
    or (excluded.challenge_us = folded_routes.challenge_us and excluded.challenge_id > folded_routes.challenge_id))`
  return sql`${sql.join([...sums, ...states])},
    last_402_us = ${dialect.greatest(...both('last_402_us'))}, newest_us = ${dialect.greatest(...both('newest_us'))},
    challenge_id = case when ${newer} then excluded.challenge_id else folded_routes.challenge_id end,
    challenge_us = case when ${newer} then excluded.challenge_us else folded_routes.challenge_us end`
}

export const JOINING_LATENCY = sql`on conflict (host_id, latency_ms) do update set n = folded_latency.n + excluded.n`

/**
 * Adds these entries to what is folded. In the transaction that removes them, or they would count twice or not at all.
 * What vantages saw is found from entry to entry and held until it is stored: of some hundred hosts at a time.
 */
export async function foldEntries(
  writer: Writer,
  dialect: Dialect,
  from: RawBuilder<unknown>,
  which: RawBuilder<unknown>,
): Promise<void> {
  const seen: SeenRoute[] = []
  const routes = await seenFrom(writer, from, which)
  for await (const route of sightsOf(writer, dialect, routes)) seen.push(route)
  await addFolded(writer, dialect, from, which)
  await setSights(writer, dialect, 'folded_routes', seen)
}

/** Routes of which any vantage is named, with the newest of these entries. */
async function seenFrom(writer: Writer, from: RawBuilder<unknown>, which: RawBuilder<unknown>): Promise<RouteUpTo[]> {
  if (!(await hasVantages(writer))) return []
  const found = await sql<{
    host_id: number
    route_id: number
    upto_us: number
  }>`select p.host_id, p.route_id, p.upto_us
    from (select host_id, route_id, max(at_us) as upto_us, max(vantage_id) as vantage_id from ${from} as e
      where ${which} group by host_id, route_id) as p
    left join folded_routes as f on f.host_id = p.host_id and f.route_id = p.route_id
    where p.vantage_id is not null or f.sights is not null`.execute(writer)
  return found.rows.map(({ host_id, route_id, upto_us }) => ({ hostId: host_id, routeId: route_id, uptoUs: upto_us }))
}

async function addFolded(
  writer: Writer,
  dialect: Dialect,
  from: RawBuilder<unknown>,
  which: RawBuilder<unknown>,
): Promise<void> {
  const names = sql.join(RESULT_COLUMNS.map((name) => sql.ref(name)))
  // Entries older than what is folded already do not end the run of what is.
  const runs = runsOf(
    dialect,
    sql`select host_id, route_id, max(at_us) as upto_us from ${from} as p where ${which} group by host_id, route_id`,
  )
  const isNewer = sql`excluded.newest_us > folded_routes.newest_us`
  await sql`insert into folded_routes (host_id, route_id, ${names}, newest_us, challenge_us, challenge_id,
      now_status, now_since_us, last_402_us)
    select g.host_id, g.route_id, ${names}, g.newest_us, g.challenge_us, (select max(c.challenge_id) from ${from} as c
      where c.host_id = g.host_id and c.route_id = g.route_id and c.at_us = g.challenge_us),
      u.now_status, u.now_since_us, u.last_402_us
    from (select host_id, route_id, ${RESULT_SUMS}, max(at_us) as newest_us,
        max(case when challenge_id is not null then at_us end) as challenge_us
      from ${from} as p where ${which} group by host_id, route_id) as g
    join (${runs}) as u on u.host_id = g.host_id and u.route_id = g.route_id where true
    on conflict (host_id, route_id) do update set ${joiningFolded(dialect, ['now_status', 'now_since_us'], isNewer)}`.execute(
    writer,
  )
  await sql`insert into folded_latency (host_id, latency_ms, n)
    select host_id, latency_ms, count(*) from ${from} as p where ${which} group by host_id, latency_ms
    ${JOINING_LATENCY}`.execute(writer)
}

/** What a host's entries counted for that are no longer kept. */
export interface Folded {
  readonly routes: readonly FoldedRouteTable[]
  readonly latency: readonly { readonly latency_ms: number; readonly n: number }[]
}

export const readFolded = async (reader: Reader, hostId: number): Promise<Folded> => ({
  routes: await reader.selectFrom('folded_routes').selectAll().where('host_id', '=', hostId).execute(),
  latency: await reader.selectFrom('folded_latency').selectAll().where('host_id', '=', hostId).execute(),
})
