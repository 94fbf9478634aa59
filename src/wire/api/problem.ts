import { z } from 'zod'
import { href } from './values.ts'

/** Every error: RFC 9457, with what to do next. Some kinds have further members. */
export const problem = z.looseObject({
  type: href.describe('Names the kind of problem, and opens a page about it'),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  hint: z.string().describe('What to do next'),
  request_id: z.string(),
  charged: z
    .union([z.boolean(), z.literal('pending')])
    .optional()
    .describe('On paid endpoints: whether money moved'),
  near_matches: z.array(z.string()).optional().describe('Known hosts or routes that may have been meant'),
})

export const problemKind = z.object({
  type: href,
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  hint: z.string(),
})

export const problemKinds = z.object({
  problems: z.array(
    z.object({ type: href, status: z.int(), title: z.string(), meaning: z.string(), hint: z.string() }),
  ),
})

export type ProblemDocument = z.infer<typeof problem>
