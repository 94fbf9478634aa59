import { sql } from 'kysely'
import { z } from 'zod'
import { EXCLUSIONS, LEVELS } from '../domain/review.ts'
import { METHODS, RAILS, SCHEMES } from '../domain/route.ts'
import type { TimestampUs } from '../domain/timestamp.ts'
import type { Dialect, Row } from './dialect.ts'
import type { ReviewInput } from './evidence.ts'
import { groupBy } from './group.ts'
import type { ReviewKey } from './payment-claims.ts'
import { walking } from './planner.ts'
import type { Reader, ReviewTable } from './schema.ts'

/** A review as it is stored, with where it is. */
export interface StoredReview extends ReviewInput {
  readonly hostId: number
  readonly routeId: number
}

/** Something that happened to a review. */
export interface ReviewEvent {
  readonly kind: string
  readonly atUs: TimestampUs
  readonly data: Readonly<Record<string, unknown>>
}

const route = z.object({ scheme: z.enum(SCHEMES), method: z.enum(METHODS), path: z.string(), rail: z.enum(RAILS) })
const finding = z.object({ level: z.enum(LEVELS), excluded: z.enum(EXCLUSIONS).nullable() })

interface JoinedRow extends ReviewTable {
  name: string
  scheme: string
  method: string
  path: string
  rail: string
}

const JOINED = sql`w.*, h.name, r.scheme, r.method, r.path, r.rail`
const ITS_PLACE = sql`join hosts as h on h.host_id = w.host_id
  join routes as r on r.host_id = w.host_id and r.route_id = w.route_id`

/** The review with this id, whose host the id does not name; of several (only an import can bring that) always the same. */
export async function readReview(
  reader: Reader,
  id: string,
  hostId: number | null = null,
): Promise<StoredReview | undefined> {
  const ofHost = hostId === null ? sql`` : sql`and w.host_id = ${hostId}`
  const found = await sql<JoinedRow>`select ${JOINED} from reviews as w ${ITS_PLACE}
    where w.review_id = ${id} ${ofHost} order by w.host_id limit 1`.execute(reader)
  return found.rows[0] && storedReviewOf(found.rows[0])
}

/** Those of these reviews that are there, by `reviewText`. */
export async function readReviewsAt(
  reader: Reader,
  dialect: Dialect,
  keys: readonly ReviewKey[],
): Promise<Map<string, StoredReview>> {
  if (keys.length === 0) return new Map()
  // Reviews before their places: the other way round Postgres walks all reviews of each route.
  const found = await sql<JoinedRow>`with w as materialized (select w.* from ${keyRows(dialect, keys)} as v
      cross join reviews as w where w.host_id = v.host_id and w.review_id = v.review_id)
    select ${JOINED} from w ${ITS_PLACE}`.execute(reader)
  return new Map(found.rows.map((row) => [reviewText({ hostId: row.host_id, id: row.review_id }), storedReviewOf(row)]))
}

/** Which of these reviews are there, as `reviewText`. */
export async function knownReviews(
  reader: Reader,
  dialect: Dialect,
  keys: readonly ReviewKey[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set()
  const found = await sql<{ host_id: number; review_id: string }>`select w.host_id, w.review_id
    from ${keyRows(dialect, keys)} as v cross join reviews as w
    where w.host_id = v.host_id and w.review_id = v.review_id`.execute(reader)
  return new Set(found.rows.map((row) => reviewText({ hostId: row.host_id, id: row.review_id })))
}

/** One text per review, for maps. */
export const reviewText = ({ hostId, id }: ReviewKey): string => `${hostId}/${id}`

const keyRows = (dialect: Dialect, keys: readonly ReviewKey[]) =>
  dialect.rows(
    { host_id: 'int', review_id: 'text' },
    keys.map(({ hostId, id }): Row => [hostId, id]),
  )

const storedReviewOf = (row: JoinedRow): StoredReview => ({
  hostId: row.host_id,
  routeId: row.route_id,
  host: row.name,
  ...route.parse(row),
  ...finding.parse(row),
  id: row.review_id,
  url: row.url,
  rating: row.rating,
  text: row.text,
  levelReason: row.level_reason,
  superseded: row.superseded === 1,
  wallet: row.wallet,
  signature: row.signature,
  signedAt: row.signed_at,
  payment:
    row.payment_network === null || row.payment_transaction === null
      ? null
      : { network: row.payment_network, transaction: row.payment_transaction },
  paymentFound: row.payment_found === null ? null : JSON.parse(row.payment_found),
  receipt: row.receipt === null ? null : JSON.parse(row.receipt),
  submittedUs: row.submitted_us,
})

/** Everything that happened to them, by `reviewText`, oldest first; what happened at the same moment follows the arrival. */
export async function readReviewEvents(
  reader: Reader,
  dialect: Dialect,
  keys: readonly ReviewKey[],
): Promise<Map<string, ReviewEvent[]>> {
  if (keys.length === 0) return new Map()
  const found = await sql<{ host_id: number; subject: string; kind: string; at_us: number; data: string }>`
    select e.host_id, e.subject, e.kind, e.at_us, e.data from ${keyRows(dialect, keys)} as v
    cross join events as e ${walking(dialect, 'events_by_subject')}
    where e.host_id = v.host_id and e.subject = v.review_id order by e.at_us, e.event_id`.execute(reader)
  const arrival = (kind: string): number => (kind === 'review' ? 0 : 1)
  return new Map(
    [...groupBy(found.rows, (row) => reviewText({ hostId: row.host_id, id: row.subject }))].map(([key, rows]) => [
      key,
      rows
        .map((row) => ({ kind: row.kind, atUs: row.at_us, data: JSON.parse(row.data) }))
        .toSorted((a, b) => a.atUs - b.atUs || arrival(a.kind) - arrival(b.kind)),
    ]),
  )
}
