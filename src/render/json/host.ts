import { latencyLine } from '../../domain/latency.ts'
import { PROBE_HEADING, PROBE_NOTE } from '../../domain/probe.ts'
import { REVIEWS_HEADING } from '../../domain/review.ts'
import { EMPTY_THREAD } from '../../domain/thread.ts'
import type { HostView } from '../../views/host/host-view.ts'
import { paidCallsJson } from '../buyers/paid-calls.ts'
import { hostContradictions } from '../buyers/signed-offers.ts'
import { lastDays } from '../days.ts'
import { postExample } from '../examples/post-example.ts'
import { reviewExample } from '../examples/review-example.ts'
import { apiRoutesHref, nextAddress, type Site, threadHref } from '../site.ts'
import { timeOrNull } from '../values.ts'
import { DESCRIPTION, EVIDENCE_LABEL, LEVEL_LINES, SELLER_LABEL } from '../words.ts'
import { hostNowJson, pastJson, priceCheckJson } from './now.ts'
import { postJson } from './post.ts'
import { dayJson, latencyJson, resultsJson } from './results.ts'
import { reviewCountsJson } from './review.ts'
import { type RouteOptions, routeJson } from './route.ts'
import { sellerJson } from './statement.ts'

/** What continues the list of routes with the filter that it was asked with. */
function filterQuery({ filter }: HostView): URLSearchParams {
  const given = Object.entries({ q: filter?.q ?? null, method: filter?.method ?? null })
  return new URLSearchParams(given.filter((pair): pair is [string, string] => pair[1] !== null))
}

const contradictedJson = (lines: readonly string[]) => (lines.length === 0 ? {} : { contradictions: lines })

/** The host view. Field names and their order are a published format. */
export function hostJson(site: Site, view: HostView, options: RouteOptions) {
  const { host, counters, latency, thread } = view
  const first = new URLSearchParams()
  return {
    host,
    label: SELLER_LABEL,
    description: DESCRIPTION,
    evidence_label: EVIDENCE_LABEL,
    counters: {
      routes: counters.routes,
      machine_evidence_rows: counters.machineEvidenceRows,
      newest_evidence: timeOrNull(counters.newestEvidenceUs),
      agent_reviews: counters.agentReviews,
    },
    ...(view.now === null ? {} : { now: hostNowJson(view.now) }),
    ...pastJson(view),
    price_check: priceCheckJson(view.check, counters.routes),
    probe_history: {
      heading: PROBE_HEADING,
      note: PROBE_NOTE,
      ...resultsJson(view.results),
      latency: latencyJson(latency),
      latency_line: latencyLine(latency),
      entries_kept_since: timeOrNull(view.keptSinceUs),
      days: lastDays(view).map(dayJson),
    },
    reviews_heading: REVIEWS_HEADING,
    ...reviewCountsJson(view.reviewCounts),
    ...paidCallsJson(site, view.paidCalls, null),
    ...contradictedJson(hostContradictions(view)),
    routes: view.routes.map((route) => routeJson(site, route, options)),
    ...(view.filter === null ? {} : { routes_total: view.filter.total }),
    next: nextAddress(site, apiRoutesHref(host), filterQuery(view), view.nextRoutes),
    review_example: reviewExample(site, view),
    support_levels: LEVEL_LINES,
    thread: {
      total: thread.total,
      posts: thread.posts.map((post) => postJson(site, host, post)),
      line: thread.total === 0 ? EMPTY_THREAD : null,
      next: nextAddress(site, threadHref(host), first, thread.next),
      post_example: postExample(site, host),
    },
    ...sellerJson(site, host, view.seller),
  }
}
