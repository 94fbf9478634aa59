import { z } from 'zod'
import { count, milliseconds, time } from './values.ts'

const resultCounts = z.object({
  answers: count.describe('Entries with an HTTP result below 400'),
  '402_correct': count.describe('Entries where the route requested payment'),
  failed: count.describe('Entries with any other HTTP error'),
  unreachable: count.describe('Entries without an HTTP result'),
})

export const results = resultCounts
  .extend({ summary: z.string().describe('The exact summary line') })
  .describe('What machine probes saw, by class; never a review')

export const latency = z.object({
  samples: count.describe('How many probe entries'),
  min_ms: milliseconds.describe('The least, in milliseconds'),
  median_ms: milliseconds.describe('The median, which may have one decimal'),
  max_ms: milliseconds.describe('The most'),
  p95_ms: milliseconds.describe('The least latency that 95 of 100 entries do not exceed'),
})

export const WINDOWS = ['24 h', '7 d', '30 d'] as const

export const window = results.extend({
  window: z.enum(WINDOWS).describe('How long it is, until now'),
  since: time,
  requested_line: z.string().describe('How often it requested payment, in words'),
  latency: latency.nullable().describe('Over its entries; null: there is none'),
  latency_line: z.string().describe('The exact latency line'),
})

export const day = resultCounts.extend({
  day: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .describe('A day in UTC'),
  mean_latency_ms: milliseconds.nullable().describe('Of the entries with an HTTP result'),
})
