import { sql } from 'kysely'
import type { RouteFacts } from '../../domain/money/route-price.ts'
import type { HostTransaction } from '../hosts/host-transaction.ts'
import { byRouteId, type RouteId, routeText } from '../hosts/route-ref.ts'
import type { RouteState, Writer } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { readJson } from '../sql/json.ts'
import { RowsStatement } from '../sql/rows-statement.ts'

/** What `route_state` holds while no listing speaks for a route. */
export const NO_FACTS: RouteFacts = {
  price: null,
  network: null,
  probeStatus: 'unverified',
  spread: null,
  matching: null,
}

/** How facts stand in `route_state`. */
export type FactColumns = Pick<
  RouteState,
  'price' | 'network' | 'probe_status' | 'price_low' | 'price_high' | 'matching'
>

export const factColumns = (facts: RouteFacts): FactColumns => ({
  price: facts.price,
  network: facts.network,
  probe_status: facts.probeStatus,
  price_low: facts.spread?.low ?? null,
  price_high: facts.spread?.high ?? null,
  matching: facts.matching === null ? null : JSON.stringify(facts.matching),
})

export const factsIn = (row: FactColumns): RouteFacts => ({
  price: row.price,
  network: row.network,
  probeStatus: row.probe_status,
  spread: row.price_low === null || row.price_high === null ? null : { low: row.price_low, high: row.price_high },
  matching: readJson(row.matching),
})

/** Facts of a route, and where they are kept. */
interface StatedRoute extends RouteId {
  readonly after: RouteFacts
}

const STATE = {
  host_id: 'int',
  route_id: 'int',
  price: 'int',
  network: 'text',
  probe_status: 'text',
  price_low: 'int',
  price_high: 'int',
  matching: 'text',
  listed: 'int',
} as const

/** The state of the routes that the transaction created, with the first facts of those that have some. */
export async function openStates(transaction: HostTransaction, first: readonly StatedRoute[] = []): Promise<void> {
  const { writer, dialect, created } = transaction
  transaction.changed(created)
  const facts = new Map(first.map((route) => [routeText(route), route.after]))
  await saveStates(
    writer,
    dialect,
    created.map((route) => {
      const known = facts.get(routeText(route))
      return stateRow(route, known ?? NO_FACTS, known !== undefined)
    }),
  )
}

export function saveFacts(transaction: HostTransaction, routes: readonly StatedRoute[]): Promise<void> {
  transaction.changed(routes)
  return saveStates(
    transaction.writer,
    transaction.dialect,
    routes.toSorted(byRouteId).map((route) => stateRow(route, route.after, true)),
  )
}

function stateRow({ hostId, routeId }: RouteId, facts: RouteFacts, isListed: boolean): Row {
  const { price, network, probe_status, price_low, price_high, matching } = factColumns(facts)
  return [hostId, routeId, price, network, probe_status, price_low, price_high, matching, isListed ? 1 : 0]
}

async function saveStates(writer: Writer, dialect: Dialect, rows: readonly Row[]): Promise<void> {
  if (rows.length > 0) await SAVE.runLater(writer, dialect, rows)
}

const SAVE = new RowsStatement(
  (dialect, rows) => sql`insert into route_state
      (host_id, route_id, price, network, probe_status, price_low, price_high, matching, listed, probes, reviews)
    select host_id, route_id, price, network, probe_status, price_low, price_high, matching, listed, 0, 0
    from ${dialect.hostRows(STATE, rows)} as v where true
    on conflict (host_id, route_id) do update set price = excluded.price, network = excluded.network,
      probe_status = excluded.probe_status, price_low = excluded.price_low, price_high = excluded.price_high,
      matching = excluded.matching, listed = excluded.listed`,
)
