import type { SellerHost } from '../../domain/host.ts'
import { readClaims } from '../../store/sellers/read-claims.ts'
import { countStatements, readStatements } from '../../store/sellers/read-statements.ts'
import { statementOf } from '../../store/sellers/statement-rows.ts'
import type { Store } from '../../store/store.ts'
import type { PageRequest, StatementsView } from '../directory.ts'
import { countersOf } from '../host/counters.ts'
import { pageOf, positionOf } from '../page.ts'
import { viewOf } from './open-seller.ts'

/** Everything that a host's seller said, newest first. */
export async function statementsOf(
  store: Store,
  host: SellerHost,
  { limit, cursor }: PageRequest,
): Promise<StatementsView | undefined> {
  const before = positionOf('statements', ['number', 'string'], cursor)
  const counters = await countersOf(store, host)
  if (counters === undefined) return undefined
  const hostId = counters.host_id
  const [claims, total, rows] = await Promise.all([
    readClaims(store.read, hostId),
    countStatements(store.read, hostId),
    readStatements(store.read, hostId, before, limit + 1),
  ])
  const page = pageOf(
    'statements',
    rows,
    limit,
    (row) => viewOf(statementOf(row)),
    (row) => [row.submitted_us, row.statement_id],
  )
  return { claims, total, ...page }
}
