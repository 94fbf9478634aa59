import { z } from 'zod'
import { address, host, href, method, next, rail, time } from './values.ts'

export const event = z.object({
  id: z.string().describe('Goes into `after` or Last-Event-ID'),
  kind: z.string().describe('What happened, such as price_changed'),
  at: time,
  host,
  route: z.object({ method, address, rail }).nullable().describe('Which route it is about; null: the host as a whole'),
  data: z
    .record(z.string(), z.unknown())
    .describe('What changed, such as from and to; names in it are those of sources'),
  href: href.describe('Where to read on'),
})

export const events = z.object({ events: z.array(event).describe('In the order asked for'), next })

export type EventsDocument = z.infer<typeof events>
