import { sql } from 'kysely'
import type { Deltas } from './deltas.ts'
import type { Dialect, Row } from './dialect.ts'
import type { ReviewInput } from './evidence.ts'
import type { RouteId } from './hosts.ts'
import type { ReviewTable, Writer } from './schema.ts'

/** Stores reviews that are not there yet and counts them. */
export async function saveReviews(
  writer: Writer,
  dialect: Dialect,
  deltas: Deltas,
  inputs: readonly (ReviewInput & { readonly at: RouteId })[],
): Promise<void> {
  const perRoute = new Map<string, { at: RouteId; n: number }>()
  for (const review of inputs) {
    const inserted = await writer
      .insertInto('reviews')
      .values(rowOf(review))
      .onConflict((conflict) => conflict.doNothing())
      .returning('review_id')
      .execute()
    if (inserted.length === 0) continue
    deltas.review(review.at.hostId, { ...review, excluded: review.excluded !== null }, 1)
    const key = `${review.at.hostId}/${review.at.routeId}`
    perRoute.set(key, { at: review.at, n: (perRoute.get(key)?.n ?? 0) + 1 })
  }
  if (perRoute.size === 0) return
  const rows = [...perRoute.values()].map(({ at, n }): Row => [at.hostId, at.routeId, n])
  await sql`insert into route_state (host_id, route_id, probe_status, probes, reviews)
    select host_id, route_id, 'unverified', 0, n
    from ${dialect.rows({ host_id: 'int', route_id: 'int', n: 'int' }, rows)} as v where true
    on conflict (host_id, route_id) do update set reviews = route_state.reviews + excluded.reviews`.execute(writer)
}

const rowOf = (review: ReviewInput & { readonly at: RouteId }): ReviewTable => ({
  host_id: review.at.hostId,
  review_id: review.id,
  route_id: review.at.routeId,
  url: review.url,
  rating: review.rating,
  text: review.text,
  wallet: review.wallet,
  signature: review.signature,
  signed_at: review.signedAt,
  payment_network: review.payment?.network ?? null,
  payment_transaction: review.payment?.transaction ?? null,
  receipt: review.receipt && JSON.stringify(review.receipt),
  level: review.level,
  level_reason: review.levelReason,
  excluded: review.excluded,
  superseded: review.superseded ? 1 : 0,
  submitted_us: review.submittedUs,
})
