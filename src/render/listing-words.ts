import { formatTimestamp } from '../domain/time/timestamp.ts'
import { type Refused, refusalWords } from '../domain/words/refusal.ts'
import type { DocumentView, HostNamedBy, NamedBy } from '../views/host/listing-history-view.ts'
import { goneWords } from './observed.ts'
import { counted } from './values.ts'

export const LISTING_HISTORY_TITLE = 'Where it is listed, since when, and why not'
export const LISTING_HISTORY_LEAD =
  'Which listing sources named this host and its routes, from when to when, and what was refused of the seller’s own documents.'
export const NOT_LISTED = 'No listing source has named a route of this host.'
/** What a seller needs to know whose document is there and was not read. */
export const NO_DOCUMENT =
  'No document of this seller was read yet. One is read where /openapi.json, /.well-known/x402 or /.well-known/x402.json of the host answers with HTTP 200 and JSON in UTF-8 of 4 MiB at most, not with a redirect, and robots.txt lets Tollbook ask for it.'

/** `bazaar: first named …, last named …; no longer named since the complete sweep of …` */
export function namedLine(named: NamedBy): string {
  const times = `${named.source}: first named ${formatTimestamp(named.firstUs)}, last named ${formatTimestamp(named.lastUs)}`
  const gone = goneWords(named)
  return gone === null ? times : `${times}; ${gone}`
}

export const hostNamedLine = (named: HostNamedBy): string =>
  `${namedLine(named)}; names ${named.routesNamed} of ${counted(named.routes, 'route')} now`

export const refusedLine = ({ reason, item }: Refused): string => `refused ${reason}: ${item} (${refusalWords(reason)})`

export const documentLine = ({ source, url, sha256, readUs, seen, stored, refusedTotal }: DocumentView): string =>
  `${source}: ${url}, read ${formatTimestamp(readUs)}, SHA-256 ${sha256}: ${counted(seen, 'item')}, ${counted(stored, 'row')} stored, ${refusedTotal} refused`

/** `null` when all are shown. */
export const moreRefused = ({ refused, refusedTotal }: DocumentView): string | null =>
  refused.length < refusedTotal ? `showing ${refused.length} of ${refusedTotal} refused items` : null
