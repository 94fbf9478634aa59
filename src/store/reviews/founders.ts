import { sql } from 'kysely'
import type { Exclusion } from '../../domain/review.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { walletKey } from '../../domain/wallet.ts'
import { HostTransaction } from '../hosts/host-transaction.ts'
import type { Reader, ReviewTable } from '../schema.ts'
import { readJson } from '../sql/json.ts'
import type { Store } from '../store.ts'
import { EXCLUSION_REASONS, sellersAmong, writersOf } from './exclude.ts'
import { placedReviewOf, ReviewMoves, type StandingRow } from './review-standing.ts'

/** Reviews of one transaction. */
const BATCH = 200

type FounderRow = StandingRow & Pick<ReviewTable, 'payment_found'> & { wallet_key: string }

/**
 * Holds every stored review against the founder list as it is now. At start: the list is configuration, not evidence.
 * Answers how many changed; when nothing did, this is one walk over the reviews and no write.
 */
export async function reapplyFounders(store: Store, wallets: readonly string[], nowUs: TimestampUs): Promise<number> {
  const founders = new Set(wallets.map(walletKey))
  let changed = 0
  for (;;) {
    const rows = await wronglyCounted(store.read, founders)
    if (rows.length === 0) return changed
    for (const hostId of new Set(rows.map((row) => row.host_id))) {
      changed += await reapplyOn(store, founders, hostId, nowUs)
    }
  }
}

/** Founders' reviews that are not excluded as such, and others' that are. */
async function wronglyCounted(
  reader: Reader,
  founders: ReadonlySet<string>,
  hostId: number | null = null,
): Promise<FounderRow[]> {
  const ofHost = hostId === null ? sql`` : sql`and host_id = ${hostId}`
  const list = founders.size === 0 ? sql`(null)` : sql`(${sql.join([...founders])})`
  const isFounder = founders.size === 0 ? sql`1 = 0` : sql`wallet_key in ${list}`
  const found =
    await sql<FounderRow>`select host_id, route_id, review_id, level, excluded, superseded, outcome, wallet_key,
      payment_found
    from reviews where wallet_key is not null ${ofHost} and case when ${isFounder}
      then excluded is null or excluded <> 'founder' else excluded = 'founder' end
    order by host_id, review_id limit ${BATCH}`.execute(reader)
  return found.rows
}

const reapplyOn = (store: Store, founders: ReadonlySet<string>, hostId: number, nowUs: TimestampUs): Promise<number> =>
  store.write(async (writer) => {
    const { dialect } = store
    const transaction = new HostTransaction(writer, dialect, nowUs)
    await transaction.hold([hostId])
    const moves = new ReviewMoves(transaction)
    const rows = await wronglyCounted(writer, founders, hostId)
    const keysOf = (row: FounderRow) =>
      writersOf(row.wallet_key, readJson(row.payment_found)).map((key) => ({
        hostId,
        key,
      }))
    const isSeller = await sellersAmong(writer, dialect, rows.flatMap(keysOf))
    for (const row of rows) {
      const own: Exclusion | null = keysOf(row).some(isSeller) ? 'self-generated' : null
      const excluded = founders.has(row.wallet_key) ? 'founder' : own
      const reason = excluded === null ? 'the wallet is no longer in the founder list' : EXCLUSION_REASONS[excluded]
      await moves.move(placedReviewOf(row), { excluded }, reason)
    }
    await transaction.save()
    return rows.length
  })
