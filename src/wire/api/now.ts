import { z } from 'zod'
import { SEEN } from '../../domain/now/vantage.ts'
import { count, line, method, result, shield, time, vantage } from './values.ts'

/** What one vantage sees of a route. */
const sight = z.object({
  vantage,
  seen: z.enum(SEEN).describe('The class of its newest entry, with those turned away told from those that failed'),
  result,
  http_status: count.nullable().describe('null: no HTTP result'),
  shield: shield.nullable().describe('Whose challenge page it was'),
  since: time.describe('Since when it sees the same'),
  checked: time.describe('Its newest entry'),
  entries: count.describe('All of its entries'),
})

/** What is true of a route now: the run of equal results that its newest probe entry belongs to; of several vantages, the best that is seen. */
export const now = z.object({
  result,
  since: time.describe('The first entry of the run'),
  http_status: count.nullable().describe('Of the newest entry; null: no HTTP result'),
  checked: time.describe('The newest entry; of several vantages, where one sees payment requested, its newest'),
  last_402: time.nullable().describe('When it last requested payment; null: never seen to'),
  line: z.string().describe('The same in words; times are UTC, to the minute'),
  blocked: z
    .string()
    .optional()
    .describe('That a host which answers turned the prober away (403, 429 or a challenge page); left out otherwise'),
  vantages: z
    .object({
      line: z.string().describe('What each vantage sees, in words, the best first'),
      seen: z.array(sight).describe('What each sees by itself'),
    })
    .optional()
    .describe('Left out where probers have no names'),
})

/** Of a host: its worst route among those that a source names. */
export const hostNow = now.extend({
  method,
  address: z.string().describe('Of that route'),
  routes: count.describe('Routes whose newest results are of the same class, that one included'),
  of: count.describe('Routes that were probed and that a source names'),
})

/** Of a host that was probed and of which nothing is true now. */
export const past = z.object({
  became: z
    .enum(['retired', 'unlisted', 'both', 'unkept'])
    .describe(
      'What was probed is retired by its seller, no longer named by any source, one or the other; or nothing is kept of what it answered',
    ),
  checked: time.describe('The newest entry'),
  line: z.string().describe('The same in words; times are UTC, to the minute'),
})

/** How what routes ask for compares with what is listed. */
export const priceCheck = z
  .object({
    verified: count.describe('Routes whose newest live challenge asks for what is listed'),
    differs: count.describe('Routes that ask for something else'),
    line,
  })
  .describe('How what its routes ask for compares with what is listed')
