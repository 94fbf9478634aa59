import type { SellerHost } from '../domain/host.ts'
import type { Vantage } from '../domain/now/vantage.ts'
import type { SupportLevel } from '../domain/review.ts'
import type { Method, Rail, RouteKey } from '../domain/route.ts'
import type { Day } from '../domain/time/day.ts'
import type { NearRoute } from '../store/hosts/find-route.ts'
import type { CatalogueRow } from './catalogue.ts'
import type { DecisionView } from './decision/decision-view.ts'
import type { Announcements } from './events/events-view.ts'
import type { HostView, Page, PostView, ReviewView, RouteProbeView, RouteView } from './host/host-view.ts'
import type { HostQuery } from './host/hosts-view.ts'
import type { ListingHistoryView } from './host/listing-history-view.ts'
import type { PostPage } from './post-page.ts'
import type { RecentResults } from './recent-results.ts'
import type { ReviewPage } from './review-page.ts'
import type { RouteFilter } from './route/route-filter.ts'
import type { RoutePageView, RouteRequest } from './route/route-view.ts'
import type { ListedHome, ListedPage } from './seller/listed-hosts.ts'
import type { ClaimView, StatementPage, StatementView } from './seller/seller-view.ts'
import type { SourcePageView, SourcesView } from './sources/sources-view.ts'
import type { WhyAsked, WhyView } from './why/why-view.ts'

export interface PageRequest {
  readonly limit: number
  /** Opaque; a cursor that this directory did not make is refused with a `Problem`. */
  readonly cursor: string | null
}

/** One page, and how many items there are on all. */
export interface CountedPage<T> extends Page<T> {
  readonly total: number
}

/** A page of a host's statements, and as many of the claims to it, the newest first. */
export interface StatementsView extends CountedPage<StatementView> {
  readonly claims: readonly ClaimView[]
  readonly claimsTotal: number
  /** Where statements or claims go on; `null` after the last of both. */
  readonly nextOfBoth: string | null
}

/** A page of routes, of all that fit the filter. */
export interface RoutesRequest extends PageRequest, Partial<RouteFilter> {}

export interface ProbeRequest extends PageRequest {
  readonly method: Method | null
  readonly path: string | null
  readonly rail: Rail | null
  readonly vantage?: Vantage | null
}

export interface ReviewRequest extends PageRequest {
  readonly level?: SupportLevel | null
  readonly method?: Method | null
  readonly path?: string | null
}

/** Hears of which version of its host a view is: nothing that it shows is older. */
export type OnVersion = (version: number) => void

/** The reading side of the directory: plain data for pages. `undefined` means that no listing source named the host. */
export interface Directory extends Announcements {
  /** As of the store: where it changes while a page is made, the page may be older than the version read before it. */
  switches(): number
  /** Grows with everything that changes what the host's pages show. */
  hostVersion(host: SellerHost): Promise<number | undefined>
  hostView(host: SellerHost, page: RoutesRequest, onVersion?: OnVersion): Promise<HostView | undefined>
  /** `undefined` also when the host has no such route. */
  route(
    host: SellerHost,
    route: RouteRequest,
    page: PageRequest,
    onVersion?: OnVersion,
  ): Promise<RoutePageView | undefined>
  /** What is known of a route before paying for it; a path may be one that a listed template stands for. */
  decision(host: SellerHost, asked: RouteKey, onVersion?: OnVersion): Promise<DecisionView | undefined>
  /** Of a host that no source named, too, when a document of it was read. */
  listingHistory(host: SellerHost, page: PageRequest): Promise<ListingHistoryView | undefined>
  /** Why a host, or one of its routes, is listed and probed as it is; also of one that nobody has named. */
  why(asked: WhyAsked): Promise<WhyView>
  routes(host: SellerHost, page: RoutesRequest): Promise<CountedPage<RouteView> | undefined>
  probes(host: SellerHost, page: ProbeRequest): Promise<CountedPage<RouteProbeView> | undefined>
  reviews(host: SellerHost, page: ReviewRequest): Promise<CountedPage<ReviewView> | undefined>
  thread(host: SellerHost, page: PageRequest): Promise<CountedPage<PostView> | undefined>
  /** One review of any host, by its id. */
  review(id: string): Promise<ReviewPage | undefined>
  /** One post of any host, by its id. */
  post(id: string): Promise<PostPage | undefined>
  /** Everything that a host's seller said, newest first. */
  statements(host: SellerHost, page: PageRequest): Promise<StatementsView | undefined>
  /** One statement of any host, by its id. */
  statement(id: string): Promise<StatementPage | undefined>
  hosts(query: HostQuery): Promise<ListedPage>
  home(query: HostQuery): Promise<ListedHome>
  sources(): Promise<SourcesView>
  /** One source, with what its newest sweep refused; `undefined` when there is none of that name. */
  source(name: string): Promise<SourcePageView | undefined>
  /** Founder and self-generated reviews of the whole directory; a little late when it is large. */
  excludedReviews(): Promise<number>
  /** What the host's probes saw in this many UTC days, the last of which is today. */
  recentResults(host: SellerHost, days: number): Promise<RecentResults | undefined>
  /** How many parts a list of all hosts has; a little late when the directory is large. */
  catalogueParts(): Promise<number>
  /** One part of a list of all hosts, from 1 on, a few hosts at a time. */
  cataloguePart(part: number, of: number): AsyncIterable<readonly CatalogueRow[]>
  /** Known hosts that an unknown name may have meant, nearest first. */
  nearHosts(host: string): Promise<readonly SellerHost[]>
  /** Listed routes of a host that an unknown path may have meant. */
  nearRoutes(host: SellerHost, path: string): Promise<readonly NearRoute[]>
  /** The UTC day that pages end with. The epoch moves when it does. */
  today(): Day
  /** Changes when anything may have been written, here or by another program, at most a second ago. */
  epoch(): number
  /** Rejects with the reason when the store does not answer. */
  ping(): Promise<void>
}
