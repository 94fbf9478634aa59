import { formatTimestamp } from '../../domain/time/timestamp.ts'
import { refusalWords } from '../../domain/words/refusal.ts'
import type { DocumentView, HostNamedBy, ListingHistoryView, NamedBy } from '../../views/host/listing-history-view.ts'
import { documentLine, hostNamedLine, namedLine } from '../listing-words.ts'
import { apiListingHistoryHref, nextAddress, type Site } from '../site.ts'
import { timeOrNull } from '../values.ts'

const timesJson = (named: NamedBy) => ({
  source: named.source,
  first_named: formatTimestamp(named.firstUs),
  last_named: formatTimestamp(named.lastUs),
  no_longer_named_since: timeOrNull(named.goneUs),
})

export const namedJson = (named: NamedBy) => ({ ...timesJson(named), line: namedLine(named) })

export const hostNamedJson = (named: HostNamedBy) => ({
  ...timesJson(named),
  routes: named.routes,
  routes_named: named.routesNamed,
  line: hostNamedLine(named),
})

export const documentJson = (document: DocumentView) => ({
  source: document.source,
  url: document.url,
  sha256: document.sha256,
  read: formatTimestamp(document.readUs),
  seen: document.seen,
  stored: document.stored,
  line: documentLine(document),
  untrusted: true,
  refused: document.refused.map(({ reason, item }) => ({ reason, words: refusalWords(reason), item })),
  refused_total: document.refusedTotal,
})

/** Where a seller is listed, since when, and why not; `next` continues the routes. */
export function listingHistoryJson(site: Site, view: ListingHistoryView, query = new URLSearchParams()) {
  return {
    host: view.host,
    sources: view.sources.map(hostNamedJson),
    documents: view.documents.map(documentJson),
    routes: view.routes.map(({ method, address, path, rail, sources }) => ({
      ...{ method, address, path, rail },
      sources: sources.map(namedJson),
    })),
    next: nextAddress(site, apiListingHistoryHref(view.host), query, view.next),
  }
}
