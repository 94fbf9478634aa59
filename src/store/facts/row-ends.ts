import { sql } from 'kysely'
import { HostTransaction } from '../hosts/host-transaction.ts'
import type { RouteId } from '../hosts/route-ref.ts'
import type { Reader } from '../schema.ts'
import type { Row } from '../sql/dialect.ts'
import type { Store } from '../store.ts'
import { readRows, refreshFacts } from './facts.ts'
import { logEnded } from './logged-rows.ts'
import { answeredIn, type CompleteSweep, endOfStep } from './unlisted.ts'

/** Routes whose rows one transaction ends. */
const ROUTES_AT_ONCE = 2000

/**
 * Ends every row that the source did not name in this complete sweep, and finds the prices of their routes anew. Before the
 * sweep itself is stored as complete: after a crash in between the same is looked for again.
 */
export async function endRows(store: Store, sweep: CompleteSweep): Promise<void> {
  for (let after = -1; ; ) {
    const end = await endOfStep(store.read, after)
    if (end === null) return
    const routes = await routesToEnd(store.read, sweep, after, end)
    for (let from = 0; from < routes.length; from += ROUTES_AT_ONCE)
      await endRowsOf(store, sweep, routes.slice(from, from + ROUTES_AT_ONCE))
    after = end
  }
}

async function routesToEnd(reader: Reader, sweep: CompleteSweep, after: number, end: number): Promise<RouteId[]> {
  const { source, startedUs } = sweep
  const found = await sql<{ host_id: number; route_id: number }>`select distinct l.host_id, l.route_id
    from listings as l where l.host_id > ${after} and l.host_id <= ${end} and l.source = ${source}
      and l.last_us < ${startedUs} and l.gone_us is null`.execute(reader)
  const isAnswered = await answeredIn(reader, sweep, after, end)
  return found.rows.map((row) => ({ hostId: row.host_id, routeId: row.route_id })).filter(isAnswered)
}

/** Looked at again inside the transaction, which has the hosts to itself. */
const endRowsOf = (
  store: Store,
  { source, startedUs, endedUs }: CompleteSweep,
  routes: readonly RouteId[],
): Promise<void> =>
  store.write(async (writer) => {
    const { dialect } = store
    const transaction = new HostTransaction(writer, dialect, endedUs)
    await transaction.hold(routes.map(({ hostId }) => hostId))
    const rows = routes.map(({ hostId, routeId }): Row => [hostId, routeId])
    const before = await readRows(writer, dialect, routes)
    await sql`update listings set gone_us = ${sql.lit(startedUs)}, one_of_several = 0
      where (host_id, route_id) in (select host_id, route_id
          from ${dialect.rows({ host_id: 'int', route_id: 'int' }, rows)} as v)
        and source = ${source} and last_us < ${sql.lit(startedUs)} and gone_us is null`.execute(writer)
    await logEnded(transaction, routes, { source, goneUs: startedUs })
    await refreshFacts(transaction, { routes, before })
    transaction.words.addFaceted(routes.map(({ hostId }) => hostId))
    await transaction.save()
  })
