import { z } from 'zod'
import { document, hostNamed, named, refused } from './listing-history.ts'
import { host, method, rail, time, untrusted } from './values.ts'

const route = z.object({
  method,
  address: z.string(),
  path: z.string(),
  rail,
  sources: z.array(named),
  last_probe: z.object({ date: time, result: z.string() }).nullable(),
  next_probe: time.nullable().describe('In the past where it is overdue; null where it is not going to be'),
  held_back_by: z
    .array(z.string())
    .describe(
      'template, method, opted_out, robots, pause, visit, unscheduled, retired (probed once a week) or unlisted (no source names it any more; probed as before); empty when nothing is in the way',
    ),
  lines: z.array(z.string()).describe('All of it in words'),
})

/** Why a host or a route is listed and probed as it is, or is not. */
export const why = z.object({
  host,
  path: z.string().nullable().describe('The path that was asked about; null for all of the host'),
  line: z.string(),
  sources: z.array(hostNamed),
  refused: z
    .array(refused.extend({ source: z.string(), sweep: time, untrusted, line: z.string() }))
    .describe('Items of sources’ newest sweeps that name the host, as far as examples are kept'),
  documents: z.array(document).describe("The seller's own documents, as they were last read"),
  routes: z.array(route).describe('At most the first 50, by path, then by method'),
})

export type WhyDocument = z.infer<typeof why>
