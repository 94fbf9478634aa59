import { z } from 'zod'
import { href, method, rail } from './values.ts'

const nearRoute = z.object({ method, url: z.string(), rail })
export type NearRoute = z.infer<typeof nearRoute>

export const nearMatches = z
  .array(z.union([z.string(), nearRoute]))
  .describe('Known hosts, by name, or known routes of the host that may have been meant')

export const charged = z.union([z.boolean(), z.literal('pending')])

/** Every error: RFC 9457, with what to do next. Some kinds have further members. */
export const problem = z.looseObject({
  type: href.describe('Names the kind of problem, and opens a page about it'),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  hint: z.string().describe('What to do next'),
  request_id: z.string(),
  charged: charged.optional().describe('On paid endpoints: whether money moved'),
  near_matches: nearMatches.optional(),
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
