import type { SellerHost } from '../domain/host.ts'
import type { Rail, RouteKey } from '../domain/route.ts'
import { fillPath, PATHS } from '../wire/paths.ts'

/** Where this directory is reached. */
export interface Site {
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** The operator's own line on top of every page. */
  readonly notice?: string | undefined
  /** How its readers call the command; as those who installed the package unless given. */
  readonly command?: string
  /** Through which posts can be paid here, in the order of `RAILS`; all of them unless given. */
  readonly rails?: readonly Rail[]
}

/** A call of the command, for readers to copy. */
export const commandLine = ({ command = 'npx tollbook' }: Site, words: string): string => `${command} ${words}`

type Query = Readonly<Record<string, string | null>>

const PLAIN = /^[\w*.-]*$/
const OTHERWISE = /[!'()~]|%20/g

/** As `URLSearchParams` writes it, in a third of the time. */
function inQuery(text: string): string {
  if (PLAIN.test(text)) return text
  const encoded = encodeURIComponent(text.toWellFormed())
  return encoded.replace(OTHERWISE, (one) => (one === '%20' ? '+' : `%${one.charCodeAt(0).toString(16).toUpperCase()}`))
}

/** `path?name=value…` in the given order, without the members that are null. */
export function withQuery(path: string, query: Query): string {
  let text = path
  let sign = '?'
  for (const name in query) {
    const value = query[name] ?? null
    if (value === null) continue
    text += `${sign}${inQuery(name)}=${inQuery(value)}`
    sign = '&'
  }
  return text
}

export const hostHref = (host: SellerHost, query: Query = {}): string =>
  withQuery(fillPath(PATHS.host, { host }), query)

/** The lists of a host as pages. */
export const hostRoutesHref = (host: SellerHost, query: Query = {}): string =>
  withQuery(fillPath(PATHS.hostRoutes, { host }), query)
export const hostProbesHref = (host: SellerHost, query: Query = {}): string =>
  withQuery(fillPath(PATHS.hostProbes, { host }), query)
export const hostReviewsHref = (host: SellerHost, query: Query = {}): string =>
  withQuery(fillPath(PATHS.hostReviews, { host }), query)
export const hostThreadHref = (host: SellerHost, query: Query = {}): string =>
  withQuery(fillPath(PATHS.hostThread, { host }), query)

export const apiHostHref = (host: SellerHost): string => fillPath(PATHS.apiHost, { host })
export const apiRoutesHref = (host: SellerHost): string => fillPath(PATHS.apiHostRoutes, { host })
export const apiProbesHref = (host: SellerHost): string => fillPath(PATHS.apiHostProbes, { host })
export const apiReviewsHref = (host: SellerHost): string => fillPath(PATHS.apiHostReviews, { host })
export const apiStatementsHref = (host: SellerHost): string => fillPath(PATHS.apiStatements, { host })
export const hostStatementsHref = (host: SellerHost, query: Query = {}): string =>
  withQuery(fillPath(PATHS.hostStatements, { host }), query)
export const statementHref = (id: string): string => fillPath(PATHS.statement, { id })
export const claimsHref = PATHS.claims
export const claimMessageHref = (query: { readonly host?: SellerHost; readonly wallet?: string } = {}): string =>
  withQuery(PATHS.claimMessage, query)
export const apiListingHistoryHref = (host: SellerHost): string => fillPath(PATHS.apiListingHistory, { host })
export const listingHistoryHref = (host: SellerHost, query: Query = {}): string =>
  withQuery(fillPath(PATHS.listingHistory, { host }), query)
/** Why a host, or one path of it, is listed and probed as it is. */
export const whyHref = (host: SellerHost, query: Query = {}): string => withQuery(fillPath(PATHS.why, { host }), query)
export const apiHostsHref = PATHS.apiHosts
export const sourcesHref = PATHS.sources
export const apiSourcesHref = PATHS.apiSources
export const apiSourceHref = (name: string): string => fillPath(PATHS.apiSource, { name })
export const probingHref = PATHS.probing
/** The part of that page on the places that probers look from. */
export const VANTAGES = 'vantages'
export const vantagesHref = `${probingHref}#${VANTAGES}`
export const reviewsHref = PATHS.reviews
export const reviewHref = (id: string): string => fillPath(PATHS.review, { id })
export const postHref = (id: string): string => fillPath(PATHS.post, { id })
/** Reading, and posting paid through x402. */
export const threadHref = (host: SellerHost): string => fillPath(PATHS.thread, { host })
/** Posting paid through mpp. */
export const mppThreadHref = (host: SellerHost): string => fillPath(PATHS.mppThread, { host })

/** The lines to sign for a post. */
export const messageHref = (host: SellerHost): string => fillPath(PATHS.threadMessage, { host })
export const logHref = PATHS.log
export const logCheckpointHref = PATHS.logCheckpoint
export const logVerifierHref = PATHS.logVerifier
export const logProofHref = (index: number): string => fillPath(PATHS.logProof, { index: String(index) })
export const policyHref = PATHS.policy
export const apiPolicyHref = PATHS.apiPolicy

export const problemsHref = PATHS.problems
export const problemHref = (slug: string): string => fillPath(PATHS.problem, { slug })
/** The site's mark, among its own addresses so that `img-src 'self'` allows it. */
export const iconHref = PATHS.icon
export const docsHref = PATHS.docs
export const openapiHref = PATHS.openapi
export const llmsHref = PATHS.llms
export const mcpHref = PATHS.mcp
export const decideHref = PATHS.decide

/** The page of one route. Its scheme is said only where it is not https. */
export function routeHref(host: SellerHost, { method, path, rail, scheme }: RouteKey, query?: Query): string {
  const named = { method, path, rail, scheme: scheme === 'https' ? null : scheme }
  return withQuery(fillPath(PATHS.route, { host }), query === undefined ? named : { ...named, ...query })
}

/** Announcements: of the whole directory and of one host as Atom, and as a stream. */
export const feedHref = PATHS.feed
export const hostFeedHref = (host: SellerHost): string => fillPath(PATHS.hostFeed, { host })
export const eventsHref = PATHS.events
export const hostEventsHref = (host: SellerHost): string => withQuery(PATHS.events, { host, format: 'json' })
export const hostPictureHref = (host: SellerHost): string => fillPath(PATHS.hostPicture, { host })
export const sellersHref = PATHS.sellers
export const badgeHref = (host: SellerHost): string => fillPath(PATHS.badge, { host })
export const sitemapHref = PATHS.sitemap
export const sitemapPartHref = (part: number, of: number): string =>
  fillPath(PATHS.sitemapPart, { part: `${part}-of-${of}.xml` })
export const securityHref = PATHS.security

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
