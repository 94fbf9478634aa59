import { z } from 'zod'
import { count, milliseconds } from './values.ts'

export const resultCounts = z.object({ answers: count, '402_correct': count, failed: count, unreachable: count })

export const results = resultCounts.extend({ summary: z.string().describe('The exact summary line') })

export const latency = z.object({
  samples: count,
  min_ms: milliseconds,
  median_ms: milliseconds,
  max_ms: milliseconds,
})

export const day = resultCounts.extend({
  day: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  mean_latency_ms: milliseconds.nullable().describe('Of the entries with an HTTP result'),
})
