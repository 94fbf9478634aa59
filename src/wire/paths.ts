import type { Rail } from '../domain/words/route-words.ts'

// By themselves, so that bundles of those who ask for nothing else carry nothing else.
export const DECIDE_PATH = '/v1/decide'
export const REVIEWS_PATH = '/v1/reviews'
const THREAD_PATH = '/v1/thread/{host}'
const MPP_THREAD_PATH = '/mpp/v1/thread/{host}'

/**
 * Every address of the directory, with its parameters as OpenAPI writes them. Endpoints serve them, pages link to them
 * and the client asks for them; nothing else spells one out, so what is linked to is served.
 */
export const PATHS = {
  home: '/',
  host: '/hosts/{host}',
  route: '/hosts/{host}/route',
  hostRoutes: '/hosts/{host}/routes',
  hostProbes: '/hosts/{host}/probes',
  hostReviews: '/hosts/{host}/reviews',
  hostThread: '/hosts/{host}/thread',
  hostStatements: '/hosts/{host}/statements',
  listingHistory: '/hosts/{host}/listing-history',
  why: '/hosts/{host}/why',

  apiHosts: '/v1/hosts',
  apiHost: '/v1/hosts/{host}',
  apiHostRoutes: '/v1/hosts/{host}/routes',
  apiHostProbes: '/v1/hosts/{host}/probes',
  apiHostReviews: '/v1/hosts/{host}/reviews',
  apiListingHistory: '/v1/hosts/{host}/listing-history',
  apiWhy: '/v1/hosts/{host}/why',
  decide: DECIDE_PATH,

  reviews: REVIEWS_PATH,
  reviewMessage: '/v1/reviews/message',
  review: '/v1/reviews/{id}',
  thread: THREAD_PATH,
  mppThread: MPP_THREAD_PATH,
  threadMessage: '/v1/thread/{host}/message',
  mppThreadMessage: '/mpp/v1/thread/{host}/message',
  post: '/v1/posts/{id}',

  claims: '/v1/claims',
  claimMessage: '/v1/claims/message',
  apiStatements: '/v1/hosts/{host}/statements',
  statementMessage: '/v1/hosts/{host}/statements/message',
  statement: '/v1/statements/{id}',

  events: '/v1/events',
  feed: '/feed.atom',
  hostFeed: '/hosts/{host}/feed.atom',
  badge: '/hosts/{host}/badge.svg',
  badgeJson: '/hosts/{host}/badge.json',
  hostPicture: '/hosts/{host}/picture.svg',

  log: '/log',
  logCheckpoint: '/log/checkpoint',
  logTile: '/log/tile/{tile}',
  logVkey: '/log/vkey',
  logProof: '/log/proof/{index}',
  logVerifier: '/log/verify.mjs',

  sellers: '/sellers',
  policy: '/policy',
  apiPolicy: '/v1/policy',
  sources: '/sources',
  apiSources: '/v1/sources',
  apiSource: '/v1/sources/{name}',
  probing: '/probing',
  problems: '/problems',
  problem: '/problems/{slug}',
  robots: '/robots.txt',
  sitemap: '/sitemap.xml',
  sitemapPart: '/sitemaps/{part}',
  security: '/.well-known/security.txt',
  icon: '/icon.svg',

  openapi: '/openapi.json',
  docs: '/docs',
  llms: '/llms.txt',
  mcp: '/mcp',

  alive: '/healthz',
  ready: '/readyz',
} as const

export type PathTemplate = (typeof PATHS)[keyof typeof PATHS]

/** Where a post is paid for through each rail. */
export const PAID_THREAD_PATHS = { x402: THREAD_PATH, mpp: MPP_THREAD_PATH } as const satisfies Readonly<
  Record<Rail, PathTemplate>
>

type ParameterIn<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterIn<Rest>
  : never

/** A text for each parameter of a template. */
export type PathValues<Template extends string> = { readonly [Name in ParameterIn<Template>]: string }

const PARAMETER = /\{(\w+)\}/g

/** The names of a template's parameters, in order. */
export const parametersIn = (template: string): readonly string[] =>
  Array.from(template.matchAll(PARAMETER), ([, name = '']) => name)

// A host's `:port` is a legal part of a path segment and reads better unescaped.
const readable = (text: string): string =>
  /^[\w.:-]*$/.test(text) ? text : encodeURIComponent(text).replaceAll('%3A', ':')

/** The template with every parameter filled in; each stays within its one segment. */
export function fillPath<Template extends PathTemplate>(
  template: Template,
  values: PathValues<Template>,
  escaped: (text: string) => string = readable,
): string {
  const given: Readonly<Record<string, string>> = values
  let text = ''
  let isName = false
  for (const part of partsOf(template)) {
    text += isName ? escaped(given[part] ?? '') : part
    isName = !isName
  }
  return text
}

const parts = new Map<string, readonly string[]>()

/** Text and names of parameters in turn, taken apart once: pages fill in the same few templates again and again. */
function partsOf(template: string): readonly string[] {
  const known = parts.get(template) ?? template.split(PARAMETER)
  parts.set(template, known)
  return known
}
