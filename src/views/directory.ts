import type { SellerHost } from '../domain/host.ts'
import type { Method, Rail } from '../domain/route.ts'
import type { HostView, Page, PostView, ReviewView, RouteProbeView, RouteView } from './host-view.ts'
import type { HomeView, HostQuery, HostRow } from './hosts-view.ts'
import type { SourcesView } from './sources-view.ts'

export interface PageRequest {
  readonly limit: number
  /** Opaque; a cursor that this directory did not make is refused with a `Problem`. */
  readonly cursor: string | null
}

export interface ProbeRequest extends PageRequest {
  readonly method: Method | null
  readonly path: string | null
  readonly rail: Rail | null
}

/** The reading side of the directory: plain data for pages. `undefined` means that no listing source named the host. */
export interface Directory {
  /** Grows with everything that changes what the host's pages show. */
  hostVersion(host: SellerHost): Promise<number | undefined>
  hostView(host: SellerHost, page: PageRequest): Promise<HostView | undefined>
  routes(host: SellerHost, page: PageRequest): Promise<(Page<RouteView> & { readonly total: number }) | undefined>
  probes(host: SellerHost, page: ProbeRequest): Promise<(Page<RouteProbeView> & { readonly total: number }) | undefined>
  reviews(host: SellerHost, page: PageRequest): Promise<(Page<ReviewView> & { readonly total: number }) | undefined>
  thread(host: SellerHost, page: PageRequest): Promise<(Page<PostView> & { readonly total: number }) | undefined>
  hosts(query: HostQuery): Promise<Page<HostRow>>
  home(query: HostQuery): Promise<HomeView>
  sources(): Promise<SourcesView>
  /** Known hosts that an unknown name may have meant, nearest first. */
  nearHosts(host: string): Promise<readonly SellerHost[]>
  /** Changes when anything may have been written, here or by another program, at most a second ago. */
  epoch(): number
  /** Rejects with the reason when the store does not answer. */
  ping(): Promise<void>
}
