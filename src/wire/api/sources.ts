import { z } from 'zod'
import { count, time, untrusted } from './values.ts'

const counts = z.record(z.string(), count)

export const sweep = z.object({
  status: z.string(),
  started: time,
  ended: time,
  resumed: z.boolean(),
  seen: count,
  stored: count,
  refused: counts.describe('Reason to count'),
  answers: counts.describe('How the requests ended, to count'),
  announced: count.nullable(),
  error: z.string().nullable(),
})

export const source = z.object({
  name: z.string(),
  kind: z.string(),
  address: z.string().nullable(),
  sweeping: z.boolean(),
  next_run: time.nullable(),
  last_sweep: sweep.nullable(),
  earlier_sweeps: z.array(sweep),
  last_failed_page: z.object({ untrusted, url: z.string(), at: time, error: z.string() }).nullable(),
})

export const sources = z.object({ sources: z.array(source) })

export type SourcesDocument = z.infer<typeof sources>
