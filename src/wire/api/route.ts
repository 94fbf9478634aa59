import { z } from 'zod'
import { askedPrices, description, disagreement, listing, paidCalls, payees, probe, signedOffers } from './evidence.ts'
import { now } from './now.ts'
import { day, window } from './results.ts'
import { review } from './review.ts'
import { retired, statement } from './seller.ts'
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
  path,
  price,
  probeStatus,
  rail,
  scheme,
  time,
} from './values.ts'

export const route = z.object({
  method,
  address,
  path,
  price: price
    .nullable()
    .describe('Of real money before test networks, then what the newest challenge asks for, then the lowest'),
  rail,
  network: network.nullable().describe('Where that price is paid, as the source wrote it'),
  probe_status: probeStatus,
  listings: z
    .array(listing)
    .describe('Newest first; at most 20, or 200 of one route: those that its price follows from are always among them'),
  probes: z.array(probe).describe('Newest first'),
  probes_total: count.describe('All probe entries of the route'),
  reviews: z.array(review).describe('Newest first'),
  reviews_total: count.describe('All reviews of the route'),
  listings_total: count.optional().describe('Left out by directories of earlier versions'),
  now: now.optional().describe('Left out until it was probed'),
  paid_calls: paidCalls.optional(),
  ...signedOffers,
  median_ms: milliseconds.nullable().describe('Of the 25 newest entries, or of as many as there are'),
  ...networkBeside,
  ...disagreement,
  descriptions: z
    .array(description)
    .optional()
    .describe('What listing sources say of the route; left out where none does'),
  retired: retired.optional().describe('By its seller, alone or with the whole host; left out while it is sold'),
  seller_says: z.array(statement).optional().describe('What its seller says of it, apart from all evidence'),
  card: z
    .object({
      line: z.string().describe('Price, rail and network, as cards print them'),
      code: z.string().describe('Printed as it is; it has no meaning of its own'),
      status_line: z.string().describe('The probe status, as cards print it'),
    })
    .optional()
    .describe('With view=cards only'),
})

export const routePage = route.extend({
  host,
  host_href: href.describe('The host view'),
  listing_history_href: href.describe('Where it is listed, since when, and why not'),
  scheme,
  observed_price: price.nullable().describe('What the newest live challenge asked for'),
  challenge_faults: z.array(z.string()).describe('What does not conform in the newest live challenge'),
  observed_prices: askedPrices
    .optional()
    .describe(
      'What its own 402 answers asked for, apart from what sources list; left out by directories of earlier versions',
    ),
  payees: payees
    .optional()
    .describe('Who was named to be paid, newest first; left out by directories of earlier versions'),
  windows: z.array(window).describe('Shortest first'),
  days: z.array(day).describe('The last 90 days that saw an entry of this route, oldest first'),
  entries_kept_since: time.nullable().describe('null: single entries are all kept'),
  next,
})

export type RouteDocument = z.infer<typeof route>
export type RoutePageDocument = z.infer<typeof routePage>
