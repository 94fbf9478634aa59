import type { SellerHost } from '../../domain/host.ts'
import { claimPosition, countClaims, readClaimPage } from '../../store/sellers/read-claims.ts'
import { countStatements, readStatements } from '../../store/sellers/read-statements.ts'
import { type StatementRow, statementOf } from '../../store/sellers/statement-rows.ts'
import type { Store } from '../../store/store.ts'
import { encodeCursor } from '../../wire/cursor.ts'
import type { PageRequest, StatementsView } from '../directory.ts'
import { countersOf } from '../host/counters.ts'
import { positionOf } from '../page.ts'
import { viewOf } from './open-seller.ts'

const STATEMENTS = 'statements'
/** After everything: times begin later. */
const END = [-1, ''] as const

const statementPosition = (row: StatementRow) => [row.submitted_us, row.statement_id] as const

/** Everything that a host's seller said and whose claims there are, both newest first, so many of each. */
export async function statementsOf(
  store: Store,
  host: SellerHost,
  { limit, cursor }: PageRequest,
): Promise<StatementsView | undefined> {
  const position = positionOf(STATEMENTS, ['number', 'string', 'number', 'string'], cursor)
  const [said, claimed] = position === null ? [null, null] : halves(position)
  const counters = await countersOf(store, host)
  if (counters === undefined) return undefined
  const hostId = counters.host_id
  const [claims, claimsTotal, total, rows] = await Promise.all([
    readClaimPage(store.read, hostId, claimed, limit + 1),
    countClaims(store.read, hostId),
    countStatements(store.read, hostId),
    readStatements(store.read, hostId, said, limit + 1),
  ])
  const [shown, shownClaims] = [rows.slice(0, limit), claims.slice(0, limit)]
  const [lastSaid, lastClaim] = [shown.at(-1), shownClaims.at(-1)]
  const next = encodeCursor(STATEMENTS, [
    ...(lastSaid === undefined ? END : statementPosition(lastSaid)),
    ...(lastClaim === undefined ? END : claimPosition(lastClaim)),
  ])
  const isMoreSaid = rows.length > limit
  return {
    ...{ claims: shownClaims, claimsTotal, total, items: shown.map((row) => viewOf(statementOf(row))) },
    next: isMoreSaid ? next : null,
    nextOfBoth: isMoreSaid || claims.length > limit ? next : null,
  }
}

const halves = ([us, id, claimedUs, key]: readonly [number, string, number, string]) =>
  [
    [us, id],
    [claimedUs, key],
  ] as const
