import { type RawBuilder, sql } from 'kysely'
import type { SupportLevel } from '../../domain/review.ts'
import type { Method } from '../../domain/route.ts'
import type { ReviewTable, RouteTable } from '../schema.ts'
import { readJson } from '../sql/json.ts'
import { logIndexOf } from '../sql/log-index.ts'
import type { Store } from '../store.ts'
import type { ReviewInput } from './review-input.ts'

/** A review as pages read it. */
export interface ReviewRow
  extends Omit<ReviewTable, 'host_id' | 'route_id' | 'receipt' | 'wallet_key' | 'served' | 'log_id'>,
    Pick<RouteTable, 'method' | 'rail'> {
  /** Its place in the evidence log; null while it has none. */
  log_index: number | null
}

/** What a row says of a review, without where it is. */
export const reviewOf = (row: ReviewRow): Omit<ReviewInput, 'host' | 'scheme' | 'path' | 'receipt'> => ({
  id: row.review_id,
  url: row.url,
  method: row.method,
  rail: row.rail,
  rating: row.rating,
  text: row.text,
  level: row.level,
  levelReason: row.level_reason,
  excluded: row.excluded,
  superseded: row.superseded === 1,
  wallet: row.wallet,
  signature: row.signature,
  signedAt: row.signed_at,
  payment: paymentNamedBy(row),
  paymentFound: readJson(row.payment_found),
  directory: row.directory,
  outcome: readJson(row.outcome),
  submittedUs: row.submitted_us,
  hidden: row.hidden_us === null ? null : { atUs: row.hidden_us, reason: row.hidden_reason ?? '' },
  logIndex: row.log_index ?? undefined,
})

/** The payment that a review names. */
export const paymentNamedBy = ({
  payment_network: network,
  payment_transaction: transaction,
}: Pick<ReviewTable, 'payment_network' | 'payment_transaction'>) =>
  network === null || transaction === null ? null : { network, transaction }

export const REVIEW_COLUMNS = {
  review_id: 'value',
  url: 'value',
  method: 'value',
  rail: 'value',
  rating: 'value',
  text: 'value',
  wallet: 'value',
  signature: 'value',
  signed_at: 'value',
  payment_network: 'value',
  payment_transaction: 'value',
  level: 'value',
  level_reason: 'value',
  excluded: 'value',
  superseded: 'value',
  submitted_us: 'value',
  payment_found: 'value',
  directory: 'value',
  outcome: 'value',
  hidden_us: 'value',
  hidden_reason: 'value',
  log_index: 'value',
} as const

const REVIEW_FIELDS = sql`w.review_id, w.url, r.method, r.rail, w.rating, w.text, w.wallet, w.signature, w.signed_at,
  w.payment_network, w.payment_transaction, w.level, w.level_reason, w.excluded, w.superseded, w.submitted_us, w.payment_found,
  w.directory, w.outcome, w.hidden_us, w.hidden_reason, ${logIndexOf('w.log_id')} as log_index`

/** In the words of the index `reviews_by_standing`. Without it a route with many reviews would be read as a whole. */
const STANDING = sql`case when w.excluded is not null then 4 when w.superseded = 1 then 3
  when w.level = 'Verified buyer' then 0 when w.level = 'Signed' then 1 else 2 end`

/**
 * Inside a list of routes aliased `r`: so many reviews of the route at hand. Those that count come first, by level, then
 * the newest: what costs nobody anything pushes no buyer's review out.
 */
export const reviewsOfRoute = (ofRoute: RawBuilder<unknown>, limit: number): RawBuilder<unknown> =>
  sql`select ${REVIEW_FIELDS} from reviews as w where ${ofRoute}
    order by ${STANDING}, w.submitted_us desc, w.review_id desc limit ${limit}`

export interface ReviewFilter {
  readonly level: SupportLevel | null
  readonly method: Method | null
  readonly path: string | null
}

const EVERY_REVIEW: ReviewFilter = { level: null, method: null, path: null }

/** Of a host aliased by its number, with its route aliased `r`. */
function reviewsOfHost(hostId: number, { level, method, path }: ReviewFilter): RawBuilder<unknown> {
  return sql`from reviews as w join routes as r on r.host_id = ${hostId} and r.route_id = w.route_id
    where w.host_id = ${hostId} ${level === null ? sql`` : sql`and w.level = ${level}`}
      ${method === null ? sql`` : sql`and r.method = ${method}`} ${path === null ? sql`` : sql`and r.path = ${path}`}`
}

export async function countReviews(store: Store, hostId: number, filter: ReviewFilter): Promise<number> {
  const found = await sql<{ n: number }>`select count(*) as n ${reviewsOfHost(hostId, filter)}`.execute(store.read)
  return found.rows[0]?.n ?? 0
}

/** Where a list of reviews continues: before this one. */
export type ReviewPosition = readonly [submittedUs: number, id: string]

/** All reviews of a host, newest first. */
export async function readReviews(
  store: Store,
  hostId: number,
  after: ReviewPosition | null,
  limit: number,
  filter: ReviewFilter = EVERY_REVIEW,
): Promise<ReviewRow[]> {
  const position = after && sql`and (w.submitted_us, w.review_id) < (${sql.join(after)})`
  const found = await sql<ReviewRow>`select ${REVIEW_FIELDS} ${reviewsOfHost(hostId, filter)} ${position ?? sql``}
    order by w.submitted_us desc, w.review_id desc limit ${limit}`.execute(store.read)
  return found.rows
}
