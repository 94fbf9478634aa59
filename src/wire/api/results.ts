import { z } from 'zod'
import { count, milliseconds, time } from './values.ts'

const resultCounts = z.object({ answers: count, '402_correct': count, failed: count, unreachable: count })

export const results = resultCounts.extend({ summary: z.string().describe('The exact summary line') })

export const latency = z.object({
  samples: count,
  min_ms: milliseconds,
  median_ms: milliseconds,
  max_ms: milliseconds,
  p95_ms: milliseconds.describe('The least latency that 95 of 100 entries do not exceed'),
})

export const WINDOWS = ['24 h', '7 d', '30 d'] as const

export const window = results.extend({
  window: z.enum(WINDOWS),
  since: time,
  requested_line: z.string().describe('How often it requested payment, in words'),
  latency: latency.nullable(),
  latency_line: z.string(),
})

export const day = resultCounts.extend({
  day: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  mean_latency_ms: milliseconds.nullable().describe('Of the entries with an HTTP result'),
})
