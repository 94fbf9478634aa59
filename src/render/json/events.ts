import { formatTimestamp } from '../../domain/time/timestamp.ts'
import type { EventView } from '../../views/events/events-view.ts'
import type { Page } from '../../views/host/host-view.ts'
import { eventHref } from '../event-words.ts'
import { eventsHref, fullAddress, type Site } from '../site.ts'

/** One announcement. `id` goes into `after` or `Last-Event-ID`; `kind`, `host`, `at` and `data` stay the same wherever it is read. */
const eventJson = (site: Site, event: EventView) => ({
  id: event.id,
  kind: event.kind,
  at: formatTimestamp(event.atUs),
  host: event.host,
  route: event.route && { method: event.route.method, address: event.route.address, rail: event.route.rail },
  data: event.data,
  href: fullAddress(site, eventHref(event)),
})

/** One page in the order in which announcements were written. `query` are the filters that continue on the next one. */
export const eventsJson = (site: Site, page: Page<EventView>, query: URLSearchParams) => {
  const next = new URLSearchParams(query)
  if (page.next !== null) next.set('after', page.next)
  return {
    events: page.items.map((event) => eventJson(site, event)),
    next: page.next === null ? null : fullAddress(site, `${eventsHref}?${next}`),
  }
}

/** One message of a stream of server-sent events. JSON holds no line breaks, so one line is enough. */
export const eventMessage = (site: Site, event: EventView): string =>
  `id: ${event.id}\nevent: ${event.kind.replaceAll(/[^\w-]/g, '_')}\ndata: ${JSON.stringify(eventJson(site, event))}\n\n`
