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
  last_complete_sweep: sweep.nullable(),
  changed: z
    .object({ against: time, seen: z.int(), stored: z.int(), refused: z.int(), line: z.string() })
    .nullable()
    .describe('The last complete sweep against the one before, as differences; null until there were two'),
  last_failed_page: z.object({ untrusted, url: z.string(), at: time, error: z.string() }).nullable(),
})

/** One source with what its newest sweep refused, by reason. */
export const sourcePage = source.extend({
  refusals: z.array(
    z.object({
      reason: z.string(),
      words: z.string().describe('The reason in words'),
      total: count,
      untrusted,
      examples: z.array(z.string()).describe('At most 100, made short and printable'),
    }),
  ),
})

export const sources = z.object({ sources: z.array(source) })

export type SourcePageDocument = z.infer<typeof sourcePage>
export type SourcesDocument = z.infer<typeof sources>
