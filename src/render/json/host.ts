import { latencyLine } from '../../domain/latency.ts'
import { PROBE_HEADING, PROBE_NOTE, type ResultCounts, summaryLine } from '../../domain/probe.ts'
import { EMPTY_THREAD, REVIEWS_HEADING } from '../../domain/review.ts'
import type { HostView } from '../../views/host-view.ts'
import { reviewExample } from '../review-example.ts'
import { apiRoutesHref, nextAddress, type Site, threadHref } from '../site.ts'
import { timeOrNull } from '../values.ts'
import { DESCRIPTION, EVIDENCE_LABEL, LEVEL_LINES, SELLER_LABEL } from '../words.ts'
import { postJson } from './post.ts'
import { type RouteOptions, routeJson } from './route.ts'

export function resultsJson(results: ResultCounts) {
  return {
    answers: results.answers,
    '402_correct': results['402-correct'],
    failed: results.failed,
    unreachable: results.unreachable,
    summary: summaryLine(results),
  }
}

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
    probe_history: {
      heading: PROBE_HEADING,
      note: PROBE_NOTE,
      ...resultsJson(view.results),
      latency:
        latency === null
          ? null
          : {
              samples: latency.samples,
              min_ms: latency.minMs,
              median_ms: latency.medianMs,
              max_ms: latency.maxMs,
            },
      latency_line: latencyLine(latency),
      entries_kept_since: timeOrNull(view.keptSinceUs),
    },
    reviews_heading: REVIEWS_HEADING,
    routes: view.routes.map((route) => routeJson(site, route, options)),
    next: nextAddress(site, apiRoutesHref(host), first, view.nextRoutes),
    review_example: reviewExample(site, view),
    support_levels: LEVEL_LINES,
    thread: {
      total: thread.total,
      posts: thread.posts.map((post) => postJson(site, host, post)),
      line: thread.total === 0 ? EMPTY_THREAD : null,
      next: nextAddress(site, threadHref(host), first, thread.next),
    },
  }
}
