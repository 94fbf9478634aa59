import { z } from 'zod'
import { host, href, method, next, rail, time } from './values.ts'

export const event = z.object({
  id: z.string().describe('Goes into `after` or Last-Event-ID'),
  kind: z.string(),
  at: time,
  host,
  route: z.object({ method, address: z.string(), rail }).nullable(),
  data: z.record(z.string(), z.unknown()),
  href,
})

export const events = z.object({ events: z.array(event), next })

export type EventsDocument = z.infer<typeof events>
