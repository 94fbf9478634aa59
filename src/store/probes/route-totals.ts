import { sql } from 'kysely'
import { byRouteId, type RouteId } from '../hosts/route-ref.ts'
import type { Writer } from '../schema.ts'
import type { Dialect, LaterRows, Row } from '../sql/dialect.ts'
import { RowsStatement } from '../sql/rows-statement.ts'
import { type RunColumns, runColumns } from './runs.ts'

/** What a batch adds to a route. */
export interface RouteTotals extends RouteId {
  n: number
  newestUs: number
  /** Bits of the classes of its entries (`resultsIn`). */
  results: number
  challengeUs: number | null
  challengeId: number | null
  /** `null` leaves the stored one as it is: it is found anew from the entries. */
  run: RunColumns | null
  /** Status and beginning of the run are those that are stored: their index need not be touched. */
  isSameRun: boolean
  /** Like `run`; also `null` where no entry names a vantage. */
  sights: string | null
}

const TOTALS = {
  host_id: 'int',
  route_id: 'int',
  n: 'int',
  newest: 'int',
  c_us: 'int',
  c_id: 'int',
  now_status: 'int',
  now_since: 'int',
  last_402: 'int',
  results: 'int',
  sights: 'text',
} as const

export async function saveTotals(writer: Writer, dialect: Dialect, routes: readonly RouteTotals[]): Promise<void> {
  const sorted = routes.toSorted(byRouteId)
  await addTotals(writer, dialect, sorted.filter(leavesRun), 'leave the run')
  await addTotals(
    writer,
    dialect,
    sorted.filter((route) => !leavesRun(route)),
    'set the run',
  )
}

const leavesRun = ({ run, isSameRun }: RouteTotals): boolean => run === null || isSameRun

async function addTotals(writer: Writer, dialect: Dialect, routes: readonly RouteTotals[], how: How): Promise<void> {
  if (routes.length === 0) return
  const rows = routes.map((r): Row => {
    const { now_status, now_since_us, last_402_us } = r.run ?? runColumns(null)
    const [newest, challenge, run] = [r.newestUs, r.challengeUs, now_status]
    const is = [run, now_since_us, last_402_us, r.results, r.sights]
    return [r.hostId, r.routeId, r.n, newest, challenge, r.challengeId, ...is]
  })
  await ADD[how].runLater(writer, dialect, rows)
}

type How = 'leave the run' | 'set the run'

/** Of two challenges of one moment the greater key is the newest, so that any order of arrival gives the same state. */
const adding = (how: How) => (dialect: Dialect, rows: LaterRows) => {
  const newer = sql`excluded.challenge_us is not null and (route_state.challenge_us is null
    or excluded.challenge_us > route_state.challenge_us
    or (excluded.challenge_us = route_state.challenge_us and excluded.challenge_id > route_state.challenge_id))`
  const greatest = (name: string) => dialect.greatest(sql.ref(`route_state.${name}`), sql.ref(`excluded.${name}`))
  const run =
    how === 'set the run' ? sql`now_status = excluded.now_status, now_since_us = excluded.now_since_us,` : sql``
  return sql`insert into route_state (host_id, route_id, probe_status, probes, newest_probe_us, challenge_us,
      challenge_id, now_status, now_since_us, last_402_us, results, sights, reviews)
    select host_id, route_id, 'unverified', n, newest, c_us, c_id, now_status, now_since, last_402, results, sights, 0
    from ${dialect.hostRows(TOTALS, rows)} as v where true
    on conflict (host_id, route_id) do update set ${run}
      probes = route_state.probes + excluded.probes,
      newest_probe_us = ${greatest('newest_probe_us')},
      challenge_id = case when ${newer} then excluded.challenge_id else route_state.challenge_id end,
      challenge_us = case when ${newer} then excluded.challenge_us else route_state.challenge_us end,
      last_402_us = ${greatest('last_402_us')},
      results = route_state.results | excluded.results,
      sights = coalesce(excluded.sights, route_state.sights)`
}

const ADD: Readonly<Record<How, RowsStatement>> = {
  'leave the run': new RowsStatement(adding('leave the run')),
  'set the run': new RowsStatement(adding('set the run')),
}
