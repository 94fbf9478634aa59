import { type RawBuilder, sql } from 'kysely'
import { compareBytes } from '../../domain/order.ts'
import { formatSignedAt } from '../../wire/signed-at.ts'
import type { Row } from '../sql/dialect.ts'
import { groupBy } from '../sql/group.ts'
import { RowsStatement } from '../sql/rows-statement.ts'
import { placedReviewOf, type ReviewMoves, type StandingRow } from './review-standing.ts'

/** One wallet's reviews of one route, of which the newest counts. */
export interface WalletOnRoute {
  readonly hostId: number
  readonly routeId: number
  readonly walletKey: string
}

export interface SignedRow extends StandingRow {
  wallet_key: string
  signed_at: string | null
  submitted_us: number
}

/** What says which of two reviews is the newer one. */
export type Signing = Pick<SignedRow, 'review_id' | 'signed_at' | 'submitted_us'>

/** When it was signed, or came in where its wallet's clock is ahead: such a clock makes no review newer than later ones. */
function signedBy({ signed_at, submitted_us }: Signing): string {
  const came = formatSignedAt(submitted_us)
  return signed_at !== null && signed_at > came ? came : (signed_at ?? '')
}

/**
 * By signing time, or arrival where that was earlier, then by arrival, then by the signing time as it is written, then by
 * id: the same for everybody, in whatever order they come. The oldest is first.
 */
export const bySigning = (a: Signing, b: Signing): number =>
  compareBytes(signedBy(a), signedBy(b)) ||
  a.submitted_us - b.submitted_us ||
  compareBytes(a.signed_at ?? '', b.signed_at ?? '') ||
  compareBytes(a.review_id, b.review_id)

export const isNewer = (a: Signing, b: Signing): boolean => bySigning(a, b) > 0

/** Which of one wallet's reviews of one route counts. */
export const newestOf = (rows: readonly SignedRow[]): SignedRow | undefined =>
  rows.reduce<SignedRow | undefined>((best, row) => (best === undefined || isNewer(row, best) ? row : best), undefined)

/** Lets the newest review of each wallet and route count, and no other. */
export async function supersede(moves: ReviewMoves, groups: readonly WalletOnRoute[]): Promise<void> {
  const keys = new Map(
    groups.map(({ hostId, routeId, walletKey }): [string, Row] => [
      `${hostId}/${routeId}/${walletKey}`,
      [hostId, routeId, walletKey],
    ]),
  )
  if (keys.size === 0) return
  const rows = await READ_SIGNED.run(moves.transaction.writer, moves.transaction.dialect, [...keys.values()])
  for (const group of groupBy(rows, (row) => `${row.host_id}/${row.route_id}/${row.wallet_key}`).values()) {
    const newest = newestOf(group)
    for (const row of group) {
      const superseded = row !== newest
      const reason = superseded ? 'the wallet wrote a newer review of the same route' : 'it is the newest of the wallet'
      await moves.move(placedReviewOf(row), { superseded }, reason)
    }
  }
}

const SIGNED_COLUMNS: RawBuilder<unknown> = sql`w.host_id, w.route_id, w.review_id, w.level, w.excluded, w.superseded, w.outcome,
  w.wallet_key, w.signed_at, w.submitted_us`

const READ_SIGNED = new RowsStatement((dialect, rows) => {
  const columns = { host_id: 'int', route_id: 'int', wallet_key: 'text' } as const
  // The plus keeps Postgres from walking all reviews of the route: a wallet has few of a host.
  return sql<SignedRow>`select ${SIGNED_COLUMNS}
    from ${dialect.rows(columns, rows)} as v cross join reviews as w ${dialect.indexHint('reviews_by_wallet')}
    where w.host_id = v.host_id and w.wallet_key = v.wallet_key and +w.route_id = v.route_id`
})
