import { z } from 'zod'
import { countingOf, EXCLUSIONS, LEVELS, type Standing } from '../domain/review.ts'
import type { TimestampUs } from '../domain/timestamp.ts'
import type { Deltas } from './deltas.ts'
import type { Dialect } from './dialect.ts'
import { type PlacedEvent, saveEvents } from './events.ts'
import type { ReviewKey } from './payment-claims.ts'
import { reviewText } from './read-review.ts'
import type { Writer } from './schema.ts'

/** Where a review is, and where it stands. */
export interface PlacedReview extends Standing {
  readonly hostId: number
  readonly routeId: number
  readonly id: string
}

/** The columns that say so. */
export interface StandingRow {
  host_id: number
  route_id: number
  review_id: string
  level: string
  excluded: string | null
  superseded: number
}
export const STANDING_COLUMNS = ['host_id', 'route_id', 'review_id', 'level', 'excluded', 'superseded'] as const

const level = z.enum(LEVELS)
const excluded = z.enum(EXCLUSIONS).nullable()

export const placedReviewOf = (row: StandingRow): PlacedReview => ({
  hostId: row.host_id,
  routeId: row.route_id,
  id: row.review_id,
  level: level.parse(row.level),
  excluded: excluded.parse(row.excluded),
  superseded: row.superseded === 1,
})

/**
 * Moves reviews from one standing to another inside a transaction: the row, the counters and one event for each change.
 * Without a time nothing is announced: a move between stores brings its own events.
 */
export class ReviewMoves {
  readonly #events: PlacedEvent[] = []
  readonly #moved = new Set<string>()

  constructor(
    readonly writer: Writer,
    readonly dialect: Dialect,
    readonly deltas: Deltas,
    readonly atUs: TimestampUs | null,
  ) {}

  async move(review: PlacedReview, change: Partial<Standing>, reason: string): Promise<void> {
    const after: Standing = { level: review.level, excluded: review.excluded, superseded: review.superseded, ...change }
    const [before, now] = [countingOf(review), countingOf(after)]
    if (review.level === after.level && review.excluded === after.excluded && review.superseded === after.superseded) {
      return
    }
    await this.writer
      .updateTable('reviews')
      .set({ level: after.level, excluded: after.excluded, superseded: after.superseded ? 1 : 0 })
      .where('host_id', '=', review.hostId)
      .where('review_id', '=', review.id)
      .execute()
    this.#moved.add(reviewText(review))
    this.deltas.review(review.hostId, { ...review, excluded: review.excluded !== null }, -1)
    this.deltas.review(review.hostId, { ...after, excluded: after.excluded !== null }, 1)
    if (review.level !== after.level) {
      this.announce(review, 'review_level_changed', { from: review.level, to: after.level, reason })
    }
    if (before !== now) this.announce(review, 'review_counting_changed', { from: before, to: now, reason })
  }

  announce(review: Pick<PlacedReview, 'hostId' | 'routeId' | 'id'>, kind: string, data: PlacedEvent['data']): void {
    if (this.atUs === null) return
    const { hostId, routeId, id } = review
    this.#events.push({ hostId, routeId, atUs: this.atUs, kind, data: { review: id, ...data } })
  }

  hasMoved(review: ReviewKey): boolean {
    return this.#moved.has(reviewText(review))
  }

  /** Last: appends the events, and answers which. */
  async save(): Promise<readonly PlacedEvent[]> {
    const events = this.#events.splice(0)
    await saveEvents(this.writer, this.dialect, events)
    return events
  }
}
