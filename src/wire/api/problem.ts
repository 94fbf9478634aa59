import { z } from 'zod'
import { address, href, method, rail } from './values.ts'

const nearRoute = z.object({ method, url: address, rail })
export type NearRoute = z.infer<typeof nearRoute>

export const nearMatches = z
  .array(z.union([z.string(), nearRoute]))
  .describe('Known hosts, by name, or known routes of the host that may have been meant')

export const charged = z.union([z.boolean(), z.literal('pending')])

const title = z.string().describe('The kind of problem in a few words')
const status = z.int().describe('The HTTP status')
const hint = z.string().describe('What to do next')

/** Every error: RFC 9457, with what to do next. Some kinds have further members. */
export const problem = z.looseObject({
  type: href.describe('Names the kind of problem, and opens a page about it'),
  title,
  status,
  detail: z.string().describe('What is wrong with this request'),
  hint,
  request_id: z.string().describe('Names the request in the log of the directory'),
  charged: charged.optional().describe('On paid endpoints: whether money moved'),
  near_matches: nearMatches.optional(),
})

export const problemKind = z.object({
  type: href.describe('The address of this kind'),
  title,
  status,
  detail: z.string().describe('When it happens'),
  hint,
})

export const problemKinds = z.object({
  problems: z
    .array(
      z.object({
        type: href.describe('The address of the kind'),
        status,
        title,
        meaning: z.string().describe('When it happens'),
        hint,
      }),
    )
    .describe('Every kind of problem that an answer can name'),
})

export type ProblemDocument = z.infer<typeof problem>
