import { z } from 'zod'
import { disagreement, listing, paidCalls, payees, probe, signedOffers } from './evidence.ts'
import { now } from './now.ts'
import { window } from './results.ts'
import { retired } from './seller.ts'
import {
  count,
  host,
  href,
  level,
  method,
  network,
  networkBeside,
  price,
  probeStatus,
  rail,
  scheme,
  time,
} from './values.ts'

const ratings = z
  .object({ 1: count, 2: count, 3: count, 4: count, 5: count })
  .describe('How many reviews gave each rating')

/** What is known of one route before paying for it. Evidence, no score. */
export const decision = z.object({
  asked: z.object({ method, url: z.string(), rail }),
  host,
  route: z.object({
    method,
    address: z.string(),
    path: z.string(),
    rail,
    scheme,
    is_template: z.boolean().describe('The listed path has parameters: such a route is never probed'),
    href: href.describe('Everything about the route'),
  }),
  evidence_label: z.string(),
  now: now.optional().describe('Left out until the route was probed'),
  retired: retired.optional().describe('By its seller, alone or with the whole host; left out while it is sold'),
  price: z.object({
    listed: price.nullable(),
    listed_network: network.nullable(),
    ...networkBeside,
    observed: price.nullable().describe('What the newest live challenge asked for'),
    observed_network: network
      .nullable()
      .describe('Where it asked for that; null while no price was read, or none was named'),
    observed_at: time.nullable(),
    challenge_faults: z.array(z.string()).describe('What does not conform in the newest live challenge'),
    differs: z
      .boolean()
      .nullable()
      .describe('Whether another price is asked for than is listed; null: there is nothing on one side to compare'),
    probe_status: probeStatus,
    ...disagreement,
    listings: z.array(listing).describe('What each source last said, newest first'),
  }),
  ...signedOffers,
  probes: z.object({
    heading: z.string(),
    note: z.string(),
    total: count,
    newest: probe.nullable(),
    windows: z.array(window),
  }),
  reviews: z.object({
    counted: count,
    excluded: count.describe('Founder and self-generated reviews of the route'),
    by_level: z.array(z.object({ level, n: count, ratings })),
    paid_calls: paidCalls.optional(),
    href: href.describe("The host's reviews"),
  }),
  payees,
  unknown: z.array(z.string()).describe('What this directory does not know, in words'),
})

export type DecisionDocument = z.infer<typeof decision>
