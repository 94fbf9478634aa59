import { z } from 'zod'
import { description, disagreement, routeProbe } from './evidence.ts'
import { hostNow, past, priceCheck } from './now.ts'
import { post } from './post.ts'
import { results } from './results.ts'
import { review } from './review.ts'
import { route } from './route.ts'
import { retired } from './seller.ts'
import {
  address,
  count,
  host,
  href,
  method,
  milliseconds,
  network,
  networkBeside,
  next,
  price,
  probeStatus,
  rail,
  reviewsByLevel,
  reviewsExcluded,
  time,
} from './values.ts'

export const hostRow = z.object({
  host,
  href,
  routes: count.describe('Routes of the host'),
  rails: z.array(rail).describe('What its routes are paid through'),
  price_min: price.nullable().describe('Lowest price of its routes that are sold; null: none is known'),
  price_max: price.nullable().describe('Highest price of them'),
  now: hostNow.nullable().describe('Null until a route that a source names was probed'),
  past: past.optional().describe('Where there is no now although it was probed'),
  price_check: priceCheck,
  median_ms: milliseconds
    .nullable()
    .describe('Median latency; of a host with more than 100 entries as of the newest of them or at most a tenth fewer'),
  probe_history: results,
  newest_evidence: time.nullable().describe('Date of its newest probe entry; null: there is none'),
  agent_reviews: count.describe('Reviews that count'),
  reviews_by_level: reviewsByLevel,
  reviews_excluded: reviewsExcluded,
  match: z
    .object({
      method,
      address,
      rail,
      price: price.nullable().describe('On the network that was asked for, if one was; null: not known'),
      network: network.nullable().describe('Where that is paid, as it was written'),
      ...networkBeside,
      probe_status: probeStatus,
      sources_say: disagreement.sources_say,
      href,
    })
    .nullable()
    .describe(
      'With q: the route with its words that fits best among those that rail, network, max_price and check take. With those alone: the cheapest that they take. Else null',
    ),
  no_match: z
    .string()
    .optional()
    .describe('Where no route of the host is what was asked for: match is then the nearest route, or null'),
  description: description.nullable().describe('What a source says of that route, or of one of the host'),
  retired: retired.optional().describe('By its seller, as a whole; left out while it is sold'),
})

export const HOST_SORTS = ['match', 'host', 'price', 'latency', 'newest', 'routes', 'reviews'] as const

export const hosts = z.object({
  sort: z.enum(HOST_SORTS).describe('The order of the hosts'),
  instead: z
    .object({
      of: z.string().describe('q, as it was typed'),
      rail: rail.nullable().describe('Chosen by the words; null: any'),
      network: network.nullable().describe('Chosen by the words; null: any'),
      max_price: price.nullable().describe('Chosen by the words; null: any'),
      line: z.string().describe('The same in words'),
    })
    .optional()
    .describe('What is listed where nothing has the words of q'),
  forgiven: z
    .array(
      z.object({
        word: z.string().describe('As it was typed'),
        taken_for: z
          .array(z.string())
          .describe('Words like it that hosts listed here have; empty of a host that is not known'),
      }),
    )
    .optional()
    .describe('Words of q that no host listed here has, each with words like it that they have'),
  hosts: z.array(hostRow).describe('In the order of sort'),
  retired_left_out: z
    .object({ at_least: count.describe('So many, or more'), href })
    .optional()
    .describe('Hosts that fit and that their seller retired or moved, where nothing else fits; href lists them'),
  not_looked_for: z.string().optional().describe('Why such a q finds no host'),
  ways_on: z
    .array(z.object({ words: z.string().describe('Where it leads'), href }))
    .optional()
    .describe('Other searches that find something, or pages that say more'),
  next,
})

const page = { host, total: count.describe('On all pages'), next }

export const routes = z.object({ ...page, routes: z.array(route).describe('By path, then by method') })
export const probes = z.object({ ...page, probes: z.array(routeProbe).describe('Newest first') })
export const reviews = z.object({ ...page, reviews: z.array(review).describe('Newest first') })
export const thread = z.object({ ...page, posts: z.array(post).describe('Oldest first') })

export type HostsDocument = z.infer<typeof hosts>
export type RoutesDocument = z.infer<typeof routes>
export type ProbesDocument = z.infer<typeof probes>
export type ReviewsDocument = z.infer<typeof reviews>
export type ThreadDocument = z.infer<typeof thread>
