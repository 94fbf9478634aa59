import { type RawBuilder, sql } from 'kysely'
import type { Store } from './store.ts'

/** A review as pages read it. */
export interface ReviewRow {
  review_id: string
  url: string
  method: string
  rail: string
  rating: number
  text: string
  wallet: string | null
  signature: string | null
  signed_at: string | null
  payment_network: string | null
  payment_transaction: string | null
  level: string
  level_reason: string | null
  excluded: string | null
  superseded: number
  submitted_us: number
  payment_found: string | null
}

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
} as const

const REVIEW_FIELDS = sql`w.review_id, w.url, r.method, r.rail, w.rating, w.text, w.wallet, w.signature, w.signed_at,
  w.payment_network, w.payment_transaction, w.level, w.level_reason, w.excluded, w.superseded, w.submitted_us, w.payment_found`

/** Inside a list of routes aliased `r`: the newest reviews of the route at hand. */
export const reviewsOfRoute = (ofRoute: RawBuilder<unknown>, limit: number): RawBuilder<unknown> =>
  sql`select ${REVIEW_FIELDS} from reviews as w where ${ofRoute}
    order by w.submitted_us desc, w.review_id desc limit ${limit}`

/** Where a list of reviews or posts continues. */
export type WritingPosition = readonly [us: number, id: string]

export interface ReviewFilter {
  readonly level: string | null
  readonly method: string | null
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

/** All reviews of a host, newest first. */
export async function readReviews(
  store: Store,
  hostId: number,
  after: WritingPosition | null,
  limit: number,
  filter: ReviewFilter = EVERY_REVIEW,
): Promise<ReviewRow[]> {
  const position = after && sql`and (w.submitted_us, w.review_id) < (${sql.join(after)})`
  const found = await sql<ReviewRow>`select ${REVIEW_FIELDS} ${reviewsOfHost(hostId, filter)} ${position ?? sql``}
    order by w.submitted_us desc, w.review_id desc limit ${limit}`.execute(store.read)
  return found.rows
}

export interface PostRow {
  post_id: string
  text: string
  wallet: string
  signature: string
  signed_at: string
  posted_us: number
  rail: string
  payment_network: string
  payment_transaction: string
  payer: string
  hidden_us: number | null
  hidden_reason: string | null
  /** Of its payment's transfer: -1 when no node was asked; null when the payment's record is not here. */
  log_index: number | null
}

export const POST_COLUMNS = {
  post_id: 'value',
  text: 'value',
  wallet: 'value',
  signature: 'value',
  signed_at: 'value',
  posted_us: 'value',
  rail: 'value',
  payment_network: 'value',
  payment_transaction: 'value',
  payer: 'value',
  hidden_us: 'value',
  hidden_reason: 'value',
  log_index: 'value',
} as const

/** Of `posts`, in the order of `POST_COLUMNS`. */
export const POST_FIELDS = sql`post_id, text, wallet, signature, signed_at, posted_us, rail, payment_network,
  payment_transaction, payer, hidden_us, hidden_reason, (select y.log_index from payments as y
    where y.post_id = posts.post_id and y.host_id = posts.host_id limit 1) as log_index`

/** A host's thread, oldest first. */
export async function readPosts(
  store: Store,
  hostId: number,
  after: WritingPosition | null,
  limit: number,
): Promise<PostRow[]> {
  const position = after && sql`and (posted_us, post_id) > (${sql.join(after)})`
  const found = await sql<PostRow>`select ${POST_FIELDS}
    from posts where host_id = ${hostId} ${position ?? sql``} order by posted_us, post_id limit ${limit}`.execute(
    store.read,
  )
  return found.rows
}
