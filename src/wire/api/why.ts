import { z } from 'zod'
import { document, hostNamed, named, refused } from './listing-history.ts'
import { address, host, line, method, path, rail, source, time, untrusted } from './values.ts'

const route = z.object({
  method,
  address,
  path,
  rail,
  sources: z.array(named).describe('Each source that has named it'),
  last_probe: z
    .object({ date: time, result: z.string().describe('The class of the entry') })
    .nullable()
    .describe('Its newest probe entry; null: it was never probed'),
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
  line,
  sources: z.array(hostNamed).describe('Each source that has named the host'),
  refused: z
    .array(refused.extend({ source, sweep: time.describe('When the sweep was started'), untrusted, line }))
    .describe('Items of sources’ newest sweeps that name the host, as far as examples are kept'),
  documents: z.array(document).describe("The seller's own documents, as they were last read"),
  routes: z.array(route).describe('At most the first 50, by path, then by method'),
})

export type WhyDocument = z.infer<typeof why>
