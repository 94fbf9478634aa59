import type { SellerHost } from '../../domain/host.ts'
import { countProbes, readProbes } from '../../store/pages/read-probes.ts'
import { type PostRow, readPosts } from '../../store/posts/read-posts.ts'
import { countReviews, type ReviewRow, readReviews } from '../../store/reviews/review-rows.ts'
import type { Store } from '../../store/store.ts'
import type { CountedPage, PageRequest, ProbeRequest, ReviewRequest } from '../directory.ts'
import { pageOf, positionOf } from '../page.ts'
import { probePageOf, probePositionOf } from '../route/probe-page.ts'
import { sellerOf } from '../seller/open-seller.ts'
import { countersOf } from './counters.ts'
import type { Page, PostView, ReviewView, RouteProbeView } from './host-view.ts'
import { entriesOf, postViewOf, reviewViewOf, routeProbeViewOf } from './rows.ts'

/** A host's entries, newest first. */
export async function probesOf(
  store: Store,
  host: SellerHost,
  { limit, cursor, method, path, rail, vantage = null }: ProbeRequest,
): Promise<CountedPage<RouteProbeView> | undefined> {
  const after = probePositionOf(cursor)
  const counters = await countersOf(store, host)
  if (counters === undefined) return undefined
  const filter = { method, path, rail, vantage }
  const all = method === null && path === null && rail === null && vantage === null
  const rows = await readProbes(store, counters.host_id, filter, after, limit + 1)
  const page = probePageOf(rows, limit, (row) => routeProbeViewOf(host, row))
  return { total: all ? entriesOf(counters) : await countProbes(store, counters.host_id, filter), ...page }
}

/** A host's reviews, newest first. */
export async function reviewsOf(
  store: Store,
  host: SellerHost,
  { limit, cursor, level = null, method = null, path = null }: ReviewRequest,
): Promise<CountedPage<ReviewView> | undefined> {
  const after = positionOf('reviews', ['number', 'string'], cursor)
  const counters = await countersOf(store, host)
  if (counters === undefined) return undefined
  const filter = { level, method, path }
  const all = level === null && method === null && path === null
  const rows = await readReviews(store, counters.host_id, after, limit + 1, filter)
  const seller = await sellerOf(store, counters.host_id)
  const viewOf = (row: ReviewRow): ReviewView => seller.review(reviewViewOf(row))
  const page = pageOf('reviews', rows, limit, viewOf, (row) => [row.submitted_us, row.review_id])
  return { total: all ? counters.reviews : await countReviews(store, counters.host_id, filter), ...page }
}

/** A host's posts, oldest first. */
export async function threadOf(
  store: Store,
  host: SellerHost,
  { limit, cursor }: PageRequest,
): Promise<CountedPage<PostView> | undefined> {
  const after = positionOf('posts', ['number', 'string'], cursor)
  const counters = await countersOf(store, host)
  if (counters === undefined) return undefined
  const rows = await readPosts(store, counters.host_id, after, limit + 1)
  const page = postPageOf(rows, limit)
  const seller = await sellerOf(store, counters.host_id)
  return { total: counters.posts, items: page.items.map((post) => seller.post(post)), next: page.next }
}

export const postPageOf = (rows: readonly PostRow[], limit: number): Page<PostView> =>
  pageOf('posts', rows, limit, postViewOf, (row) => [row.posted_us, row.post_id])
