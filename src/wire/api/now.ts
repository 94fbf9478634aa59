import { z } from 'zod'
import { count, method, result, time } from './values.ts'

/** What is true of a route now: the run of equal results that its newest probe entry belongs to. */
export const now = z.object({
  result,
  since: time.describe('The first entry of the run'),
  http_status: count.nullable().describe('Of the newest entry; null: no HTTP result'),
  checked: time.describe('The newest entry'),
  last_402: time.nullable().describe('When it last requested payment; null: never seen to'),
  line: z.string().describe('The same in words; times are UTC, to the minute'),
})

/** Of a host: its worst route among those that a source names. */
export const hostNow = now.extend({
  method,
  address: z.string().describe('Of that route'),
  routes: count.describe('Routes whose newest results are of the same class, that one included'),
  of: count.describe('Routes that were probed and that a source names'),
})

/** How what routes ask for compares with what is listed. */
export const priceCheck = z.object({
  verified: count.describe('Routes whose newest live challenge asks for what is listed'),
  differs: count.describe('Routes that ask for something else'),
  line: z.string().describe('The same in words'),
})
