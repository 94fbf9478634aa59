import { z } from 'zod'
import { disagreement, listing, paidCalls, payees, probe, signedOffers } from './evidence.ts'
import { now } from './now.ts'
import { window } from './results.ts'
import { retired } from './seller.ts'
import {
  address,
  count,
  evidenceLabel,
  host,
  href,
  level,
  method,
  network,
  networkBeside,
  path,
  price,
  probeStatus,
  probesHeaded,
  rail,
  scheme,
  time,
} from './values.ts'

const ratings = z
  .object({
    1: count.describe('Reviews that rate it 1'),
    2: count.describe('Reviews that rate it 2'),
    3: count.describe('Reviews that rate it 3'),
    4: count.describe('Reviews that rate it 4'),
    5: count.describe('Reviews that rate it 5'),
  })
  .describe('How many reviews gave each rating')

/** What is known of one route before paying for it. Evidence, no score. */
export const decision = z.object({
  asked: z.object({ method, url: z.string().describe('As it was asked for'), rail }).describe('What was asked about'),
  host,
  route: z
    .object({
      method,
      address,
      path,
      rail,
      scheme,
      is_template: z.boolean().describe('The listed path has parameters: such a route is never probed'),
      href: href.describe('Everything about the route'),
    })
    .describe('The listed route that it is'),
  evidence_label: evidenceLabel,
  now: now.optional().describe('Left out until the route was probed'),
  retired: retired.optional().describe('By its seller, alone or with the whole host; left out while it is sold'),
  price: z
    .object({
      listed: price.nullable().describe('The price of the route by its listing rows; null: none is known'),
      listed_network: network.nullable().describe('Where that is paid'),
      ...networkBeside,
      observed: price.nullable().describe('What the newest live challenge asked for'),
      observed_network: network
        .nullable()
        .describe('Where it asked for that; null while no price was read, or none was named'),
      observed_at: time.nullable().describe('When that challenge was answered'),
      challenge_faults: z.array(z.string()).describe('What does not conform in the newest live challenge'),
      differs: z
        .boolean()
        .nullable()
        .describe('Whether another price is asked for than is listed; null: there is nothing on one side to compare'),
      probe_status: probeStatus,
      ...disagreement,
      listings: z.array(listing).describe('What each source last said, newest first'),
    })
    .describe('What it costs, as listed and as asked for'),
  ...signedOffers,
  probes: z
    .object({
      ...probesHeaded,
      total: count.describe('All probe entries of the route'),
      newest: probe.nullable().describe('The newest entry; null: it was never probed'),
      windows: z.array(window).describe('Shortest first'),
    })
    .describe('What machine probes saw; never a review'),
  reviews: z
    .object({
      counted: count.describe('Agent reviews of the route that count'),
      excluded: count.describe('Founder and self-generated reviews of the route'),
      by_level: z
        .array(z.object({ level, n: count.describe('How many'), ratings }))
        .describe('Those that count, by support level'),
      paid_calls: paidCalls.optional(),
      href: href.describe("The host's reviews"),
    })
    .describe('What agents wrote'),
  payees,
  unknown: z.array(z.string()).describe('What this directory does not know, in words'),
})

export type DecisionDocument = z.infer<typeof decision>
