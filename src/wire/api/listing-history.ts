import { z } from 'zod'
import { address, count, host, line, method, next, path, rail, source, time, untrusted } from './values.ts'

export const named = z.object({
  source,
  first_named: time.describe('When the source was first seen to name it'),
  last_named: time.describe('When it last was'),
  no_longer_named_since: time
    .nullable()
    .describe('Start of the complete sweep since which the source does not name it; null while it does'),
  line,
})

export const refused = z.object({
  reason: z.string().describe('Why, as a word'),
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
  source,
  url: z.string().describe('Where the document is'),
  sha256: z.string().describe('Of the bytes of the document'),
  read: time.describe('When it was last read'),
  seen: count.describe('Items in it'),
  stored: count.describe('Items that were listed'),
  line,
  untrusted,
  refused: z.array(refused).describe('At most the first 100'),
  refused_total: count.describe('All that were refused'),
})

/** Where a seller is listed, since when, and why not. */
export const listingHistory = z.object({
  host,
  sources: z.array(hostNamed).describe('Each source that has named the host'),
  documents: z.array(document).describe("The seller's own documents, as they were last read"),
  routes: z
    .array(
      z.object({
        method,
        address,
        path,
        rail,
        sources: z.array(named).describe('Each source that has named the route'),
      }),
    )
    .describe('By path, then by method'),
  next,
})

export type ListingHistoryDocument = z.infer<typeof listingHistory>
