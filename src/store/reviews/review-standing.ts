import type { Outcome } from '../../domain/buyers/outcome.ts'
import type { EventKind } from '../../domain/event.ts'
import { countingOf, type ReviewStanding } from '../../domain/review.ts'
import type { HostTransaction, PlacedEvent } from '../hosts/host-transaction.ts'
import type { ReviewTable } from '../schema.ts'
import { readJson } from '../sql/json.ts'
import type { ReviewKey } from './payment-claims.ts'
import { reviewText } from './read-review.ts'

/** Where a review is, and where it stands. */
export interface PlacedReview extends ReviewStanding {
  readonly hostId: number
  readonly routeId: number
  readonly id: string
  readonly outcome: Outcome | null
}

/** The columns that say so. */
export const STANDING_COLUMNS = [
  'host_id',
  'route_id',
  'review_id',
  'level',
  'excluded',
  'superseded',
  'outcome',
] as const
export type StandingRow = Pick<ReviewTable, (typeof STANDING_COLUMNS)[number]>

export const placedReviewOf = (row: StandingRow): PlacedReview => ({
  hostId: row.host_id,
  routeId: row.route_id,
  id: row.review_id,
  level: row.level,
  excluded: row.excluded,
  superseded: row.superseded === 1,
  outcome: readJson(row.outcome),
})

/** Moves reviews from one standing to another inside a transaction: the row, the counters and one event for each change. */
export class ReviewMoves {
  readonly #announced: PlacedEvent[] = []
  readonly #moved = new Set<string>()

  constructor(readonly transaction: HostTransaction) {}

  /** What the transaction is to announce of them. */
  get announced(): readonly PlacedEvent[] {
    return this.#announced
  }

  async move(review: PlacedReview, change: Partial<ReviewStanding>, reason: string): Promise<void> {
    const after: ReviewStanding = {
      level: review.level,
      excluded: review.excluded,
      superseded: review.superseded,
      ...change,
    }
    const { writer, counts, log } = this.transaction
    const [before, now] = [countingOf(review), countingOf(after)]
    if (review.level === after.level && review.excluded === after.excluded && review.superseded === after.superseded) {
      return
    }
    await writer
      .updateTable('reviews')
      .set({ level: after.level, excluded: after.excluded, superseded: after.superseded ? 1 : 0 })
      .where('host_id', '=', review.hostId)
      .where('review_id', '=', review.id)
      .execute()
    await log.add(review.hostId, [{ kind: 'review_level', id: review.id, ...after, reason }])
    this.#moved.add(reviewText(review))
    counts.review(review, review, -1)
    counts.review(review, { ...after, outcome: review.outcome }, 1)
    if (review.level !== after.level) {
      this.announce(review, 'review_level_changed', { from: review.level, to: after.level, reason })
    }
    if (before !== now) this.announce(review, 'review_counting_changed', { from: before, to: now, reason })
  }

  announce(review: Pick<PlacedReview, 'hostId' | 'routeId' | 'id'>, kind: EventKind, data: PlacedEvent['data']): void {
    const { announceUs } = this.transaction
    if (announceUs === null) return
    const { hostId, routeId, id } = review
    const event = { hostId, routeId, atUs: announceUs, kind, data: { review: id, ...data } }
    this.#announced.push(event)
    this.transaction.announce([event])
  }

  hasMoved(review: ReviewKey): boolean {
    return this.#moved.has(reviewText(review))
  }
}
