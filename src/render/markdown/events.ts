import type { EventView } from '../../views/events/events-view.ts'
import { eventHref, eventText, eventTitle } from '../event-words.ts'
import { fullAddress, type Site } from '../site.ts'
import { timeText } from '../values.ts'
import { codeSpan } from './quote.ts'

/** Announcements in the order in which they are given; `next` is the full address of what follows. */
export function eventsMarkdown(site: Site, events: readonly EventView[], next: string | null): string {
  const line = (event: EventView): string => {
    const said = eventText(event).split('\n').filter(Boolean).map(codeSpan)
    return [`- ${timeText(event.atUs)} [${eventTitle(event)}](${fullAddress(site, eventHref(event))})`, ...said].join(
      '\n  ',
    )
  }
  const blocks = [
    '# What changed',
    events.length === 0 ? 'no data' : events.map(line).join('\n'),
    ...(next === null ? [] : [`Next: <${next}>`]),
  ]
  return `${blocks.join('\n\n')}\n`
}
