import { sql } from 'kysely'
import { HostTransaction } from '../../hosts/host-transaction.ts'
import { PASSED_ON } from '../../reviews/claim-payment.ts'
import { scheduleCheck } from '../../reviews/review-checks.ts'
import { ReviewMoves } from '../../reviews/review-standing.ts'
import { supersede, type WalletOnRoute } from '../../reviews/supersede.ts'
import type { Writer } from '../../schema.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { groupBy } from '../../sql/group.ts'

/** Two reviews of one wallet and route: the later one came after one that was signed with a clock ahead. */
interface Pair {
  readonly host_id: number
  readonly route_id: number
  readonly wallet_key: string
  /** The later one. */
  readonly review_id: string
  readonly level_reason: string | null
  readonly submitted_us: number
}

/**
 * What was signed with a clock ahead is no newer any more than what came after it. Standings are moved as they are today: a later
 * step that adds a column which this writes has to write this one out first.
 */
export async function clocksAhead(writer: Writer, dialect: Dialect): Promise<void> {
  const byHost = groupBy(await pairsOf(writer, dialect), ({ host_id }) => host_id)
  for (const [hostId, pairs] of byHost) {
    const transaction = new HostTransaction(writer, dialect)
    await transaction.hold([hostId])
    const moves = new ReviewMoves(transaction)
    // It was refused the payment for the other one, which was the newer one: with another look it has it.
    for (const { review_id: id, level_reason, submitted_us } of pairs)
      if (level_reason === PASSED_ON) await scheduleCheck(writer, { hostId, id }, submitted_us)
    const groups = pairs.map(({ route_id, wallet_key }): WalletOnRoute => {
      return { hostId, routeId: route_id, walletKey: wallet_key }
    })
    await supersede(moves, groups)
    await transaction.save()
  }
}

/** Those that are ordered otherwise now, and some of which only the signing times are alike. */
async function pairsOf(writer: Writer, { engine, indexHint }: Dialect): Promise<readonly Pair[]> {
  const came =
    engine === 'sqlite'
      ? sql`strftime('%Y-%m-%dT%H:%M:%SZ', a.submitted_us / 1000000, 'unixepoch')`
      : sql`to_char(to_timestamp(a.submitted_us / 1000000) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
  // The plus keeps Postgres from walking all reviews of the route, as in `supersede`.
  const found = await sql<Pair>`select a.host_id, a.route_id, a.wallet_key, b.review_id, b.level_reason,
      b.submitted_us
    from reviews as a cross join reviews as b ${indexHint('reviews_by_wallet')}
    where a.wallet_key is not null and a.signed_at > ${came}
      and b.host_id = a.host_id and b.wallet_key = a.wallet_key and +b.route_id = a.route_id
      and b.review_id <> a.review_id and b.submitted_us >= a.submitted_us and b.signed_at between ${came} and a.signed_at`.execute(
    writer,
  )
  return found.rows
}
