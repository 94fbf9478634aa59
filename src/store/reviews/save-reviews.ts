import { sql } from 'kysely'
import { isServed } from '../../domain/buyers/outcome.ts'
import { isPending, mayChange } from '../../domain/review.ts'
import { walletKey } from '../../domain/wallet.ts'
import { canonical } from '../../wire/log/canonical.ts'
import type { HostTransaction } from '../hosts/host-transaction.ts'
import type { Placement } from '../hosts/outbox.ts'
import { type Placed, type RouteId, routeText } from '../hosts/route-ref.ts'
import type { ReviewTable, Writer } from '../schema.ts'
import type { Row } from '../sql/dialect.ts'
import { RowsStatement } from '../sql/rows-statement.ts'
import { type SellerKey, sellersAmong, writersOf } from './exclude.ts'
import { claimTransfers, holdsTransfer, transferKeys } from './payment-claims.ts'
import { scheduleCheck } from './review-checks.ts'
import type { ReviewInput } from './review-input.ts'
import { reviewRecord } from './review-record.ts'
import type { ReviewMoves } from './review-standing.ts'
import { supersede, type WalletOnRoute } from './supersede.ts'

export type PlacedReviewInput = Placed<ReviewInput>

/**
 * Stores reviews that are not there yet and counts them. Whether one is self-generated or superseded follows from the
 * other evidence and not from the order in which it came; what is said of founders is kept as said. Answers what was not
 * there, as it was stored.
 */
export async function saveReviews(
  moves: ReviewMoves,
  inputs: readonly PlacedReviewInput[],
): Promise<readonly PlacedReviewInput[]> {
  if (inputs.length === 0) return []
  const { writer, dialect, counts } = moves.transaction
  const isSeller = await sellersAmong(writer, dialect, inputs.flatMap(writerKeys))
  const reviews = inputs.map((input): PlacedReviewInput => {
    const isOwn = writerKeys(input).some(isSeller)
    return { ...input, excluded: input.excluded ?? (isOwn ? 'self-generated' : null) }
  })
  const inserted = await insertNew(moves.transaction, reviews)
  const perRoute = new Map<string, { at: RouteId; n: number }>()
  const groups: WalletOnRoute[] = []
  for (const review of inserted) {
    const { hostId, routeId } = review.at
    counts.review(review.at, review, 1)
    const key = routeText(review.at)
    perRoute.set(key, { at: review.at, n: (perRoute.get(key)?.n ?? 0) + 1 })
    if (review.wallet !== null) groups.push({ hostId, routeId, walletKey: walletKey(review.wallet) })
    moves.announce({ hostId, routeId, id: review.id }, 'review', { level: review.level, rating: review.rating })
    await keepPayment(writer, review)
  }
  await supersede(moves, groups)
  await countPerRoute(moves.transaction, [...perRoute.values()])
  return inserted
}

const writerKeys = ({ at, wallet, paymentFound }: PlacedReviewInput): SellerKey[] =>
  writersOf(wallet && walletKey(wallet), paymentFound).map((key) => ({ hostId: at.hostId, key }))

/** What the other tables hold of a payment: an import brings reviews alone. */
async function keepPayment(
  writer: Writer,
  { at, id, level, payment, paymentFound, levelReason, submittedUs }: PlacedReviewInput,
): Promise<void> {
  const key = { hostId: at.hostId, id }
  const verified = level === 'Verified buyer' && payment !== null && paymentFound !== null
  if (verified && !(await holdsTransfer(writer, key))) {
    await claimTransfers(writer, transferKeys(payment, paymentFound), key)
  }
  if (verified ? mayChange(paymentFound) : payment !== null && isPending(levelReason)) {
    await scheduleCheck(writer, key, submittedUs)
  }
}

async function countPerRoute({ writer, dialect }: HostTransaction, routes: readonly { at: RouteId; n: number }[]) {
  if (routes.length === 0) return
  const rows = routes.map(({ at, n }): Row => [at.hostId, at.routeId, n])
  await COUNT.runLater(writer, dialect, rows)
}

const COUNT = new RowsStatement(
  (dialect, rows) => sql`insert into route_state (host_id, route_id, probe_status, probes, reviews)
    select host_id, route_id, 'unverified', 0, n
    from ${dialect.rows({ host_id: 'int', route_id: 'int', n: 'int' }, rows)} as v where true
    on conflict (host_id, route_id) do update set reviews = route_state.reviews + excluded.reviews`,
)

const COLUMNS = {
  host_id: 'int',
  review_id: 'text',
  route_id: 'int',
  url: 'text',
  rating: 'int',
  text: 'text',
  wallet: 'text',
  signature: 'text',
  signed_at: 'text',
  payment_network: 'text',
  payment_transaction: 'text',
  receipt: 'text',
  level: 'text',
  level_reason: 'text',
  excluded: 'text',
  superseded: 'int',
  submitted_us: 'int',
  wallet_key: 'text',
  payment_found: 'text',
  directory: 'text',
  outcome: 'text',
  served: 'int',
  hidden_us: 'int',
  hidden_reason: 'text',
  log_id: 'int',
} as const satisfies Readonly<Record<keyof ReviewTable, 'int' | 'text'>>

const keyOf = ({ at, id }: PlacedReviewInput): string => `${at.hostId}/${id}`

const INSERT = new RowsStatement((dialect, rows) => {
  const names = sql.join(Object.keys(COLUMNS).map((name) => sql.ref(name)))
  return sql<{ host_id: number; review_id: string }>`insert into reviews (${names})
    select ${names} from ${dialect.rows(COLUMNS, rows)} as v where true
    on conflict (host_id, review_id) do nothing returning host_id, review_id`
})

/** Those of these reviews that were not there yet, now stored; of two with one id the first. */
async function insertNew(
  { writer, dialect, log }: HostTransaction,
  reviews: readonly PlacedReviewInput[],
): Promise<PlacedReviewInput[]> {
  const first = new Map(reviews.toReversed().map((review) => [keyOf(review), review]))
  await log.reserve(first.size)
  const logged = new Map<string, Placement>()
  for (const [key, review] of first) logged.set(key, log.place(review.at.hostId, canonical(reviewRecord(review))))
  const rows = [...first].map(([key, review]): Row => [...rowOf(review), logged.get(key)?.id ?? null])
  const inserted = await INSERT.run(writer, dialect, rows)
  return inserted.flatMap((row) => {
    const key = `${row.host_id}/${row.review_id}`
    const placement = logged.get(key)
    if (placement !== undefined) log.keep(placement)
    return first.get(key) ?? []
  })
}

/** In the order of `COLUMNS`, without where it is logged. */
const rowOf = (review: PlacedReviewInput): Row => [
  review.at.hostId,
  review.id,
  review.at.routeId,
  review.url,
  review.rating,
  review.text,
  review.wallet,
  review.signature,
  review.signedAt,
  review.payment?.network ?? null,
  review.payment?.transaction ?? null,
  review.receipt && JSON.stringify(review.receipt),
  review.level,
  review.levelReason,
  review.excluded,
  review.superseded ? 1 : 0,
  review.submittedUs,
  review.wallet && walletKey(review.wallet),
  review.paymentFound && JSON.stringify(review.paymentFound),
  review.directory,
  review.outcome && JSON.stringify(review.outcome),
  review.outcome && (isServed(review.outcome) ? 1 : 0),
  review.hidden?.atUs ?? null,
  review.hidden?.reason ?? null,
]
