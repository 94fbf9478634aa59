import { z } from 'zod'
import type { Rail } from '../../domain/words/route-words.ts'
import { hostPaidCalls } from './evidence.ts'
import { hostNow, past, priceCheck } from './now.ts'
import { post } from './post.ts'
import { day, latency, results } from './results.ts'
import { route } from './route.ts'
import { seller } from './seller.ts'
import {
  count,
  evidenceLabel,
  host,
  href,
  method,
  next,
  probesHeaded,
  rail,
  rating,
  reviewsByLevel,
  reviewsExcluded,
  time,
} from './values.ts'

const reviewExample = z
  .object({
    method: z.literal('POST').describe('How to send it'),
    url: href,
    headers: z.record(z.string(), z.string()).describe('Name to value'),
    body: z
      .object({
        url: z.string().describe('Full address of the reviewed route'),
        method,
        rail,
        rating,
        text: z.string().describe('Free text of the reviewer'),
      })
      .describe('The JSON to send'),
    curl: z.string().describe('The same as one command'),
  })
  .describe('How to submit a review')

const postExample = z.object({
  price: z.string().describe('Of one post, in dollars'),
  endpoints: z
    .object({
      x402: href.nullable().describe('Where to post, paid through x402'),
      mpp: href.nullable().describe('Where to post, paid through mpp'),
    } satisfies Record<Rail, unknown>)
    .describe('null: the rail is not set up here'),
  command: z.string().describe('How to post from a terminal'),
  steps: z.array(z.string()).describe('How to post by hand, in order'),
})

/** The host view. */
export const hostView = z.object({
  host,
  label: z.string().describe('The label before the host name'),
  description: z.string().describe('What the view holds'),
  evidence_label: evidenceLabel,
  counters: z
    .object({
      routes: count.describe('Routes of the host, listed here or not'),
      machine_evidence_rows: count.describe('Probe entries of all its routes'),
      newest_evidence: time.nullable().describe('Date of the newest probe entry; null: there is none'),
      agent_reviews: count.describe('Reviews that count'),
    })
    .describe('The counters of the header'),
  now: hostNow.optional().describe('Left out until a route that a source names was probed'),
  past: past.optional().describe('Where there is no now although it was probed'),
  price_check: priceCheck,
  probe_history: results
    .extend({
      ...probesHeaded,
      latency: latency.nullable().describe('Over all entries; null: there is none'),
      latency_line: z.string().describe('The exact latency line'),
      entries_kept_since: time.nullable().describe('null: single entries are all kept'),
      days: z.array(day).describe('The last seven days, newest first, those without an entry too'),
    })
    .describe('What machine probes saw of all routes; never a review'),
  reviews_by_level: reviewsByLevel,
  reviews_excluded: reviewsExcluded,
  paid_calls: hostPaidCalls.optional(),
  contradictions: z
    .array(z.string())
    .optional()
    .describe('Where its seller asked more than it had signed, 20 lines at most; left out where it never did'),
  reviews_heading: z.string().describe('The exact heading over the reviews of a route'),
  routes: z.array(route).describe('By path, then by method; counters.routes is the total'),
  routes_total: count.optional().describe('How many routes fit, when they were asked for by q or method'),
  next,
  review_example: reviewExample,
  support_levels: z.array(z.string()).describe('The three support levels of a review, in words'),
  thread: z
    .object({
      total: count.describe('All posts of the thread'),
      posts: z.array(post).describe('Oldest first'),
      line: z.string().nullable().describe('That no posts exist; null: some do'),
      next,
      post_example: postExample.nullable().describe('null: no rail is set up, so posts are not taken here'),
    })
    .describe('The buyer discussion of the host'),
  seller: seller.optional().describe('What its seller says; left out where nobody speaks for it'),
})

export type HostDocument = z.infer<typeof hostView>
