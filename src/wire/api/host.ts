import { z } from 'zod'
import type { Rail } from '../../domain/words/route-words.ts'
import { hostPaidCalls } from './evidence.ts'
import { hostNow, past, priceCheck } from './now.ts'
import { post } from './post.ts'
import { day, latency, results } from './results.ts'
import { route } from './route.ts'
import { seller } from './seller.ts'
import { count, host, href, method, next, rail, rating, reviewsByLevel, reviewsExcluded, time } from './values.ts'

const reviewExample = z.object({
  method: z.literal('POST'),
  url: href,
  headers: z.record(z.string(), z.string()),
  body: z.object({ url: z.string(), method, rail, rating, text: z.string() }),
  curl: z.string(),
})

const postExample = z.object({
  price: z.string(),
  endpoints: z
    .object({ x402: href.nullable(), mpp: href.nullable() } satisfies Record<Rail, unknown>)
    .describe('null: the rail is not set up here'),
  command: z.string(),
  steps: z.array(z.string()),
})

/** The host view. */
export const hostView = z.object({
  host,
  label: z.string(),
  description: z.string(),
  evidence_label: z.string(),
  counters: z.object({
    routes: count,
    machine_evidence_rows: count,
    newest_evidence: time.nullable(),
    agent_reviews: count,
  }),
  now: hostNow.optional().describe('Left out until a route that a source names was probed'),
  past: past.optional().describe('Where there is no now although it was probed'),
  price_check: priceCheck,
  probe_history: results.extend({
    heading: z.string(),
    note: z.string(),
    latency: latency.nullable(),
    latency_line: z.string().describe('The exact latency line'),
    entries_kept_since: time.nullable().describe('null: single entries are all kept'),
    days: z.array(day).describe('The last seven days, newest first, those without an entry too'),
  }),
  reviews_by_level: reviewsByLevel,
  reviews_excluded: reviewsExcluded,
  paid_calls: hostPaidCalls.optional(),
  contradictions: z
    .array(z.string())
    .optional()
    .describe('Where its seller asked more than it had signed, 20 lines at most; left out where it never did'),
  reviews_heading: z.string(),
  routes: z.array(route).describe('By path, then by method; counters.routes is the total'),
  routes_total: count.optional().describe('How many routes fit, when they were asked for by q or method'),
  next,
  review_example: reviewExample,
  support_levels: z.array(z.string()),
  thread: z.object({
    total: count,
    posts: z.array(post).describe('Oldest first'),
    line: z.string().nullable(),
    next,
    post_example: postExample.nullable().describe('null: no rail is set up, so posts are not taken here'),
  }),
  seller: seller.optional().describe('What its seller says; left out where nobody speaks for it'),
})

export type HostDocument = z.infer<typeof hostView>
