import { z } from 'zod'
import { count, line, source as name, time, untrusted } from './values.ts'

const counts = z.record(z.string(), count)

export const sweep = z.object({
  status: z
    .string()
    .describe('complete, partial (not all was read), collapsed (so little that it is not believed) or failed'),
  started: time,
  ended: time,
  resumed: z.boolean().describe('It went on where one before had stopped'),
  seen: count.describe('Items that the source gave'),
  stored: count.describe('Items that were listed'),
  refused: counts.describe('Reason to count'),
  answers: counts.describe('How the requests ended, to count'),
  announced: count.nullable().describe('Items that the source says it has; null: it does not say'),
  error: z.string().nullable().describe('Why it stopped; null: nothing went wrong'),
})

export const source = z.object({
  name,
  kind: z.string().describe('How it is read'),
  address: z.string().nullable().describe("Where it is read; null of sellers' own documents"),
  sweeping: z.boolean().describe('It is being read now'),
  next_run: time.nullable().describe('When it is read next; null: not planned'),
  last_sweep: sweep.nullable().describe('The newest sweep; null: there was none'),
  earlier_sweeps: z.array(sweep).describe('Those before it, newest first'),
  last_complete_sweep: sweep.nullable().describe('The newest that came to the end of the source'),
  changed: z
    .object({
      against: time.describe('When the one before was started'),
      seen: z.int().describe('Items more that the source gave, or fewer'),
      stored: z.int().describe('Items more that were listed, or fewer'),
      refused: z.int().describe('Items more that were refused, or fewer'),
      line,
    })
    .nullable()
    .describe('The last complete sweep against the one before, as differences; null until there were two'),
  last_failed_page: z
    .object({
      untrusted,
      url: z.string().describe('What was asked for'),
      at: time,
      error: z.string().describe('What went wrong'),
    })
    .nullable()
    .describe('The last page of the source that could not be read; null: there was none'),
})

/** One source with what its newest sweep refused, by reason. */
export const sourcePage = source.extend({
  refusals: z
    .array(
      z.object({
        reason: z.string().describe('Why, as a word'),
        words: z.string().describe('The reason in words'),
        total: count.describe('Items that were refused for it'),
        untrusted,
        examples: z.array(z.string()).describe('At most 100, made short and printable'),
      }),
    )
    .describe('What the newest sweep refused, by reason'),
})

export const sources = z.object({
  sources: z.array(source).describe('In the order of the configuration, then those that are no longer swept'),
})

export type SourcePageDocument = z.infer<typeof sourcePage>
export type SourcesDocument = z.infer<typeof sources>
