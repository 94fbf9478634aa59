import { z } from 'zod'
import { count, host, method, next, rail, time, untrusted } from './values.ts'

export const named = z.object({
  source: z.string(),
  first_named: time,
  last_named: time,
  no_longer_named_since: time
    .nullable()
    .describe('Start of the complete sweep since which the source does not name it; null while it does'),
  line: z.string(),
})

export const refused = z.object({
  reason: z.string(),
  words: z.string().describe('The reason in words'),
  item: z.string().describe('What was refused, made short and printable'),
})

/** Of a whole host. */
export const hostNamed = named.extend({
  routes: count.describe('Ever named'),
  routes_named: count.describe('Named now'),
})

/** One of a seller's own documents, as it was last read. */
export const document = z.object({
  source: z.string(),
  url: z.string(),
  sha256: z.string().describe('Of the bytes of the document'),
  read: time,
  seen: count,
  stored: count,
  line: z.string(),
  untrusted,
  refused: z.array(refused).describe('At most the first 100'),
  refused_total: count,
})

/** Where a seller is listed, since when, and why not. */
export const listingHistory = z.object({
  host,
  sources: z.array(hostNamed),
  documents: z.array(document).describe("The seller's own documents, as they were last read"),
  routes: z
    .array(z.object({ method, address: z.string(), path: z.string(), rail, sources: z.array(named) }))
    .describe('By path, then by method'),
  next,
})

export type ListingHistoryDocument = z.infer<typeof listingHistory>
