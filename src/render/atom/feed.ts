import type { SellerHost } from '../../domain/host.ts'
import { sha256Hex } from '../../domain/keys.ts'
import { formatTimestamp } from '../../domain/time/timestamp.ts'
import type { EventView } from '../../views/events/events-view.ts'
import type { Page } from '../../views/host/host-view.ts'
import type { HostNow } from '../../views/host/now-view.ts'
import { eventHref, eventText, eventTitle } from '../event-words.ts'
import { standingLine } from '../now/now-words.ts'
import { feedHref, fullAddress, hostFeedHref, hostHref, type Site, withQuery } from '../site.ts'
import { PRODUCT } from '../words.ts'
import { xmlText } from '../xml.ts'

export const ATOM_TYPE = 'application/atom+xml'

/** A feed must say when it last changed, one without entries too. */
const NEVER_US = 0

/** One page of a host's feed, or of the whole directory's (`null`), newest first. */
export function atomFeed(
  site: Site,
  host: SellerHost | null,
  page: Page<EventView>,
  shown: { readonly cursor: string | null; readonly limit: string | null; readonly now?: HostNow | null },
): string {
  const self = host === null ? feedHref : hostFeedHref(host)
  const link = (rel: string, href: string, type: string): string =>
    `<link rel="${rel}" type="${type}" href="${xmlText(fullAddress(site, href))}"/>`
  const newestUs = Math.max(NEVER_US, ...page.items.map((event) => event.atUs))
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${xmlText(fullAddress(site, self))}</id>`,
    `<title>${xmlText(host === null ? PRODUCT : `${PRODUCT}: ${host}`)}</title>`,
    ...(shown.now ? [`<subtitle type="text">${xmlText(standingLine(shown.now))}</subtitle>`] : []),
    `<updated>${formatTimestamp(newestUs)}</updated>`,
    `<author><name>${PRODUCT}</name></author>`,
    link('self', withQuery(self, { limit: shown.limit, cursor: shown.cursor }), ATOM_TYPE),
    link('alternate', host === null ? '/' : hostHref(host), 'text/html'),
    ...(page.next === null
      ? []
      : [link('next', withQuery(self, { limit: shown.limit, cursor: page.next }), ATOM_TYPE)]),
    ...page.items.map((event) => entry(site, event)),
    '</feed>',
    '',
  ].join('\n')
}

function entry(site: Site, event: EventView): string {
  const said = eventText(event)
  return [
    '<entry>',
    `<id>${entryId(event)}</id>`,
    `<title type="text">${xmlText(eventTitle(event))}</title>`,
    `<updated>${formatTimestamp(event.atUs)}</updated>`,
    `<category term="${xmlText(event.kind)}"/>`,
    `<link rel="alternate" href="${xmlText(fullAddress(site, eventHref(event)))}"/>`,
    // Feed validators refuse an empty one, and readers show it as a line of nothing.
    ...(said === '' ? [] : [`<summary type="text">${xmlText(said)}</summary>`]),
    '</entry>',
  ].join('\n')
}

/** The same announcement has the same id on every page, machine and address of the directory: a UUID of its identity. */
export function entryId({ host, atUs, number }: Pick<EventView, 'host' | 'atUs' | 'number'>): string {
  const hex = sha256Hex(`${host}\n${atUs}\n${number}`)
  const variant = '89ab'[Number.parseInt(hex.slice(16, 17), 16) % 4]
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `${variant}${hex.slice(17, 20)}`]
  return `urn:uuid:${parts.join('-')}-${hex.slice(20, 32)}`
}
