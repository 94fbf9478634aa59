import type { SellerHost } from '../domain/host.ts'
import type { RouteKey } from '../domain/route.ts'

/** Where this directory is reached. */
export interface Site {
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** The operator's own line on top of every page. */
  readonly notice?: string | undefined
}

// A host's `:port` is a legal part of a path segment and reads better unescaped.
const segment = (text: string): string => encodeURIComponent(text).replaceAll('%3A', ':')

/** `path?name=value…` in the given order, without the members that are null. */
export function withQuery(path: string, query: Readonly<Record<string, string | null>>): string {
  const kept = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== null)
  return kept.length === 0 ? path : `${path}?${new URLSearchParams(kept)}`
}

export const hostHref = (host: SellerHost, query: Readonly<Record<string, string | null>> = {}): string =>
  withQuery(`/hosts/${segment(host)}`, query)

export const apiHostHref = (host: SellerHost): string => `/v1/hosts/${segment(host)}`
export const apiRoutesHref = (host: SellerHost): string => `${apiHostHref(host)}/routes`
export const apiProbesHref = (host: SellerHost): string => `${apiHostHref(host)}/probes`
export const apiReviewsHref = (host: SellerHost): string => `${apiHostHref(host)}/reviews`
export const apiHostsHref = '/v1/hosts'
export const sourcesHref = '/sources'
export const probingHref = '/probing'
export const reviewsHref = '/v1/reviews'
export const reviewHref = (id: string): string => `${reviewsHref}/${segment(id)}`
export const postHref = (id: string): string => `/v1/posts/${segment(id)}`
/** Reading, and posting paid through x402. */
export const threadHref = (host: SellerHost): string => `/v1/thread/${segment(host)}`
/** Posting paid through mpp. */
export const mppThreadHref = (host: SellerHost): string => `/mpp/v1/thread/${segment(host)}`

/** The lines to sign for a post. */
export const messageHref = (host: SellerHost): string => `${threadHref(host)}/message`
export const policyHref = '/policy'
export const apiPolicyHref = '/v1/policy'

export const problemsHref = '/problems'
export const problemHref = (slug: string): string => `${problemsHref}/${segment(slug)}`
export const docsHref = '/docs'
export const openapiHref = '/openapi.json'
export const llmsHref = '/llms.txt'
export const mcpHref = '/mcp'
export const decideHref = '/v1/decide'

/** The page of one route. Its scheme is said only where it is not https. */
export const routeHref = (
  host: SellerHost,
  { method, path, rail, scheme }: RouteKey,
  query: Readonly<Record<string, string | null>> = {},
): string =>
  withQuery(`${hostHref(host)}/route`, { method, path, rail, scheme: scheme === 'https' ? null : scheme, ...query })

/** Announcements: of the whole directory and of one host as Atom, and as a stream. */
export const feedHref = '/feed.atom'
export const hostFeedHref = (host: SellerHost): string => `${hostHref(host)}/feed.atom`
export const eventsHref = '/v1/events'
export const badgeHref = (host: SellerHost): string => `${hostHref(host)}/badge.svg`
export const badgeJsonHref = (host: SellerHost): string => `${hostHref(host)}/badge.json`
export const sitemapHref = '/sitemap.xml'
export const sitemapPartHref = (part: number, of: number): string => `/sitemaps/${part}-of-${of}.xml`
export const securityHref = '/.well-known/security.txt'

/** All probe entries of one route. */
export const routeProbesHref = (host: SellerHost, route: RouteKey): string =>
  withQuery(apiProbesHref(host), { method: route.method, path: route.path, rail: route.rail })

/** JSON and Markdown leave the site, so their addresses are full; links inside HTML pages stay relative to the root. */
export const fullAddress = (site: Site, href: string): string => `${site.baseUrl}${href}`

/** The full address of the next page: the same path and query, continued at `cursor`. */
export function nextAddress(site: Site, path: string, query: URLSearchParams, cursor: string | null): string | null {
  if (cursor === null) return null
  const next = new URLSearchParams(query)
  next.set('cursor', cursor)
  return fullAddress(site, `${path}?${next}`)
}
