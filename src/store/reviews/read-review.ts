import { sql } from 'kysely'
import type { SellerHost } from '../../domain/host.ts'
import type { RouteKey } from '../../domain/route.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { EventTable, Reader, ReviewTable } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { groupBy } from '../sql/group.ts'
import { readJson } from '../sql/json.ts'
import { logIndexOf } from '../sql/log-index.ts'
import { RowsStatement } from '../sql/rows-statement.ts'
import type { ReviewKey } from './payment-claims.ts'
import type { ReviewInput } from './review-input.ts'
import { reviewOf } from './review-rows.ts'

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

type JoinedRow = ReviewTable & RouteKey & { name: SellerHost; log_index: number | null }

const JOINED = sql`w.*, ${logIndexOf('w.log_id')} as log_index, h.name, r.scheme, r.method, r.path, r.rail`
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
  const found = await FIND_KNOWN.run(reader, dialect, keys.map(keyRow))
  return new Set(found.map((row) => reviewText({ hostId: row.host_id, id: row.review_id })))
}

const KEY = { host_id: 'int', review_id: 'text' } as const
const keyRow = ({ hostId, id }: ReviewKey): Row => [hostId, id]

const FIND_KNOWN = new RowsStatement(
  (dialect, rows) => sql<{ host_id: number; review_id: string }>`select w.host_id, w.review_id
    from ${dialect.rows(KEY, rows)} as v cross join reviews as w
    where w.host_id = v.host_id and w.review_id = v.review_id`,
)

/** One text per review, for maps. */
export const reviewText = ({ hostId, id }: ReviewKey): string => `${hostId}/${id}`

const keyRows = (dialect: Dialect, keys: readonly ReviewKey[]) => dialect.rows(KEY, keys.map(keyRow))

const storedReviewOf = (row: JoinedRow): StoredReview => ({
  hostId: row.host_id,
  routeId: row.route_id,
  host: row.name,
  scheme: row.scheme,
  path: row.path,
  ...reviewOf(row),
  receipt: readJson(row.receipt),
})

/** Everything that happened to them, by `reviewText`, oldest first; what happened at the same moment follows the arrival. */
export async function readReviewEvents(
  reader: Reader,
  dialect: Dialect,
  keys: readonly ReviewKey[],
): Promise<Map<string, ReviewEvent[]>> {
  if (keys.length === 0) return new Map()
  type Told = Pick<EventTable, 'host_id' | 'kind' | 'at_us' | 'data'> & { subject: string }
  const found = await sql<Told>`select e.host_id, e.subject, e.kind, e.at_us, e.data from ${keyRows(dialect, keys)} as v
    cross join events as e ${dialect.indexHint('events_by_subject')}
    where e.host_id = v.host_id and e.subject = v.review_id order by e.at_us, e.event_id`.execute(reader)
  const arrival = (kind: string): number => (kind === 'review' ? 0 : 1)
  return new Map(
    [...groupBy(found.rows, (row) => reviewText({ hostId: row.host_id, id: row.subject }))].map(([key, rows]) => [
      key,
      rows
        .map((row) => ({ kind: row.kind, atUs: row.at_us, data: readJson(row.data) }))
        .toSorted((a, b) => a.atUs - b.atUs || arrival(a.kind) - arrival(b.kind)),
    ]),
  )
}
