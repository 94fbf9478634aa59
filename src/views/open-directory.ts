import { type Day, dayOf } from '../domain/time/day.ts'
import type { TimestampUs } from '../domain/time/timestamp.ts'
import { nearRoutes } from '../store/hosts/find-route.ts'
import { hostIdIn } from '../store/hosts/named-host.ts'
import { readPost } from '../store/posts/read-post.ts'
import { nearHosts } from '../store/search/near-hosts.ts'
import { facetsAmong } from '../store/search/read-totals.ts'
import type { Store } from '../store/store.ts'
import { cataloguePart, partsOf } from './catalogue.ts'
import { decisionOf } from './decision/open-decision.ts'
import type { Directory } from './directory.ts'
import { announcementsOf } from './events/events-view.ts'
import { versionedHostOf } from './host/counters.ts'
import { facetsOf } from './host/facets.ts'
import { hostViewOf, routesOf } from './host/open-host.ts'
import { listingHistoryOf } from './host/open-listing-history.ts'
import { probesOf, reviewsOf, threadOf } from './host/open-lists.ts'
import { RememberedTotals } from './host/totals.ts'
import { postPageOf } from './post-page.ts'
import { recentResultsOf } from './recent-results.ts'
import { readReviewPage } from './review-page.ts'
import { routePageOf } from './route/open-route.ts'
import { listedHostsOf } from './seller/open-listed-hosts.ts'
import { sellerOf, statementPageOf } from './seller/open-seller.ts'
import { statementsOf } from './seller/open-statements.ts'
import { sourcePageOf, sourcesViewOf } from './sources/open-sources.ts'
import type { ListedSource } from './sources/sources-view.ts'
import { NO_RULES, whyOf } from './why/open-why.ts'
import type { ProbeRules } from './why/why-view.ts'

const MINUTE_US = 60_000_000

export interface DirectoryOptions {
  readonly store: Store
  /** Where announcements are read, which must not come out of their order: never a replica. The store unless given. */
  readonly writer?: Store | undefined
  /** Those that this directory is set up to read. */
  readonly sources: readonly ListedSource[]
  /** Wall clock. */
  readonly nowUs: () => TimestampUs
  /** Whom its probers call; everybody unless given. */
  readonly probeRules?: ProbeRules
}

/** The reading side over a store. */
export function createDirectory(options: DirectoryOptions): Directory {
  const { store, sources, nowUs, probeRules = NO_RULES } = options
  const totals = new RememberedTotals(store, nowUs)
  const today = (): Day => dayOf(nowUs())
  const minutesSeen = minuteCounter(nowUs)

  return {
    switches: () => store.switches(),
    hostVersion: async (host) => (await versionedHostOf(store, host))?.version,
    hostView: (host, page, onVersion) => hostViewOf(store, host, page, nowUs(), onVersion),
    route: async (host, asked, page, onVersion) => {
      const known = await versionedHostOf(store, host)
      if (known === undefined) return undefined
      onVersion?.(known.version)
      return routePageOf(store, host, known.hostId, asked, page, nowUs())
    },
    decision: async (host, asked, onVersion) => {
      const known = await versionedHostOf(store, host)
      if (known === undefined) return undefined
      onVersion?.(known.version)
      return decisionOf(store, host, known.hostId, asked, nowUs())
    },
    listingHistory: (host, page) => listingHistoryOf(store, host, page),
    why: (asked) => whyOf(store, asked, probeRules, nowUs()),
    routes: (host, page) => routesOf(store, host, page),
    probes: (host, page) => probesOf(store, host, page),
    reviews: (host, page) => reviewsOf(store, host, page),
    thread: (host, page) => threadOf(store, host, page),
    review: (id) => readReviewPage(store, id),
    post: async (id) => {
      const row = await readPost(store.read, id)
      if (row === undefined) return undefined
      const page = postPageOf(row)
      return { ...page, post: (await sellerOf(store, row.host_id)).post(page.post) }
    },
    statements: (host, page) => statementsOf(store, host, page),
    statement: (id) => statementPageOf(store, id),
    hosts: (query) => listedHostsOf(store, query, nowUs()),
    home: async (query) => {
      const us = nowUs()
      const page = await listedHostsOf(store, query, us)
      const counted = await totals.read()
      const { hosts, routes, probes, retired } = counted
      const { items: rows, next, forgiven = [], retiredFound = null, wider, instead } = page
      const shown = { rows, next, forgiven, retiredFound, today: dayOf(us), nowUs: us }
      const facets = facetsOf(facetsAmong(counted, query.retired ?? null))
      const beside = { retiredHosts: retired.hosts, ...(wider && { wider }), ...(instead && { instead }) }
      return { query: instead?.query ?? query, totals: { hosts, routes, probes }, facets, ...shown, ...beside }
    },
    sources: () => sourcesViewOf(store, sources, nowUs),
    source: (name) => sourcePageOf(store, sources, nowUs, name),
    excludedReviews: async () => (await totals.read()).excludedReviews,
    ...announcementsOf(options.writer ?? store),
    recentResults: (host, days) => recentResultsOf(store, host, days, today()),
    catalogueParts: async () => partsOf((await totals.read()).hosts),
    cataloguePart: (part, of) => cataloguePart(store, part, of),
    nearHosts: (host) => nearHosts(store, host),
    nearRoutes: async (host, path) => {
      const hostId = await hostIdIn(store, host)
      return hostId === undefined ? [] : nearRoutes(store.read, hostId, { host, path })
    },
    today,
    // What is said of the last minutes and days changes with the time alone.
    epoch: () => store.epoch() + totals.renewals + minutesSeen(),
    ping: () => store.ping(),
  }
}

/** Grows whenever the minute is another one: also when the clock is set back, or writes would bring an epoch of before again. */
function minuteCounter(nowUs: () => TimestampUs): () => number {
  let last = Math.floor(nowUs() / MINUTE_US)
  let seen = 0
  return () => {
    const minute = Math.floor(nowUs() / MINUTE_US)
    if (minute !== last) seen += 1
    last = minute
    return seen
  }
}
