import type { DecisionDocument } from '../../wire/api/decision.ts'
import type { EventsDocument } from '../../wire/api/events.ts'
import type { HostDocument } from '../../wire/api/host.ts'
import type { JudgementDocument } from '../../wire/api/judgement.ts'
import type { ListingHistoryDocument } from '../../wire/api/listing-history.ts'
import type {
  HostsDocument,
  ProbesDocument,
  ReviewsDocument,
  RoutesDocument,
  ThreadDocument,
} from '../../wire/api/lists.ts'
import type { PolicyDocument } from '../../wire/api/policy.ts'
import type { PostDocument, PostPageDocument } from '../../wire/api/post.ts'
import type { ReviewPageDocument } from '../../wire/api/review.ts'
import type { RoutePageDocument } from '../../wire/api/route.ts'
import type { SourcePageDocument, SourcesDocument } from '../../wire/api/sources.ts'
import type { WhyDocument } from '../../wire/api/why.ts'
import { flag, listOf, maybe, members, number, object, outline, text } from './outline.ts'

// What every answer of a directory has, whatever is added to it later. What a program reads of it is its own to judge.

const items = listOf(object)
const page = { host: text, total: number, next: maybe(text) }

export const hosts = outline<HostsDocument>({ sort: text, hosts: items, next: maybe(text) })
export const hostView = outline<HostDocument>({
  ...{ host: text, label: text, description: text, evidence_label: text, counters: object, price_check: object },
  ...{ probe_history: object, reviews_by_level: object, reviews_excluded: number, reviews_heading: text },
  ...{ routes: items, next: maybe(text), review_example: object, support_levels: listOf(text), thread: object },
})
export const routes = outline<RoutesDocument>({ ...page, routes: items })
export const probes = outline<ProbesDocument>({ ...page, probes: items })
export const reviews = outline<ReviewsDocument>({ ...page, reviews: items })
export const thread = outline<ThreadDocument>({ ...page, posts: items })
export const listingHistory = outline<ListingHistoryDocument>({
  ...{ host: text, sources: items, documents: items, routes: items, next: maybe(text) },
})
export const why = outline<WhyDocument>({
  ...{ host: text, path: maybe(text), line: text, sources: items, refused: items, documents: items, routes: items },
})
export const routePage = outline<RoutePageDocument>({
  ...{ method: text, address: text, path: text, price: maybe(text), rail: text, network: maybe(text), host: text },
  ...{
    probe_status: text,
    listings: items,
    probes: items,
    probes_total: number,
    reviews: items,
    reviews_total: number,
  },
  ...{ median_ms: maybe(number), host_href: text, listing_history_href: text, scheme: text, windows: items },
  ...{ observed_price: maybe(text), challenge_faults: listOf(text), days: items, next: maybe(text) },
  entries_kept_since: maybe(text),
})

const decided = { asked: object, host: text, evidence_label: text, unknown: listOf(text) }
export const decision = outline<DecisionDocument>({
  ...{ ...decided, route: object, price: object, probes: object, reviews: object, payees: object },
})
export const judgement = outline<JudgementDocument>({
  ...{ ...decided, offer: object, allow: flag },
  findings: listOf(members({ code: text, severity: text, said: text, href: text })),
  price: maybe(members({ listed: maybe(text), observed: maybe(text) })),
  now: maybe(members({ line: text })),
})

const payment = members({ network: text, transaction: text, payer: text, settlement: maybe(text) })
const posted = {
  ...{ id: text, host: text, untrusted: flag, text, wallet: text, signature: text, signed_at: text, posted_at: text },
  ...{ rail: text, payment, hidden: maybe(object), href: text },
}
export const post = outline<PostDocument>(posted)
export const postPage = outline<PostPageDocument>({
  ...{ ...posted, text_sha256: text, message: text, host_href: text, thread_href: text },
})
export const reviewPage = outline<ReviewPageDocument>({
  ...{ id: text, url: text, method: text, rail: text, rating: number, untrusted: flag, text, level: text, href: text },
  ...{ level_reason: maybe(text), counts_as_agent_review: flag, excluded: maybe(text), superseded: flag, host: text },
  ...{ wallet: maybe(text), signature: maybe(text), signed_at: maybe(text), payment: maybe(object), events: items },
  ...{ payment_found: maybe(object), submitted_at: text, receipt: maybe(object), text_sha256: text, host_href: text },
  ...{ message: maybe(text), verify: maybe(text), hidden: maybe(object) },
})

export const policy = outline<PolicyDocument>({
  ...{ thread: object, reviews: object, contact: maybe(text), rate_limits: maybe(listOf(object)), log: maybe(object) },
})
export const sources = outline<SourcesDocument>({ sources: items })
export const sourcePage = outline<SourcePageDocument>({
  ...{ name: text, kind: text, address: maybe(text), sweeping: flag, next_run: maybe(text), earlier_sweeps: items },
  ...{ last_sweep: maybe(object), last_complete_sweep: maybe(object), changed: maybe(object), refusals: items },
  last_failed_page: maybe(object),
})
export const events = outline<EventsDocument>({ events: items, next: maybe(text) })
