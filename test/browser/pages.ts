import type { ProblemSlug } from '../../src/domain/problem-kinds.ts'
import { A_POST, A_ROUTE, A_STATEMENT, BUSY, LARGE, MOVED, QUIET } from './world.ts'

/** A page as it is looked at: an address of the router, filled in. */
export interface Sight {
  readonly name: string
  /** As in the router. */
  readonly route: string
  readonly path: string
  readonly status: number
}

const page = (name: string, route: string, path = route, status = 200): Sight => ({ name, route, path, status })

export const SIGHTS: readonly Sight[] = [
  page('home', '/'),
  page('home, filtered', '/', '/?q=weather&rail=x402&network=base&requested=day&sort=newest&result=402-correct'),
  page('home, nothing found', '/', '/?q=wether&rail=mpp&max_price=0.001'),
  page('host', '/hosts/:host', `/hosts/${BUSY}`),
  page('host as cards', '/hosts/:host', `/hosts/${BUSY}?view=cards`),
  page('host with 5,000 routes, filtered', '/hosts/:host', `/hosts/${LARGE}?q=001&method=GET`),
  page('host where no route fits', '/hosts/:host', `/hosts/${LARGE}?q=nowhere`),
  page('host without entries', '/hosts/:host', `/hosts/${QUIET}`),
  page('host unknown', '/hosts/:host', '/hosts/api.wether.example', 404),
  page('route', '/hosts/:host/route', A_ROUTE),
  page('route unknown', '/hosts/:host/route', `/hosts/${BUSY}/route?method=GET&path=%2Fno&rail=x402`, 404),
  page('routes of a host', '/hosts/:host/routes', `/hosts/${BUSY}/routes`),
  page('probe entries of a host', '/hosts/:host/probes', `/hosts/${BUSY}/probes`),
  page('reviews of a host', '/hosts/:host/reviews', `/hosts/${BUSY}/reviews`),
  page('thread of a host', '/hosts/:host/thread', `/hosts/${BUSY}/thread`),
  page('for sellers', '/sellers', `/sellers?host=${BUSY}`),
  page('what a seller says', '/hosts/:host/statements', `/hosts/${BUSY}/statements`),
  page('statement of a seller', '/v1/statements/:id', `/v1/statements/${A_STATEMENT}`),
  page('host that moved', '/hosts/:host', `/hosts/${MOVED}`),
  page('listing history', '/hosts/:host/listing-history', `/hosts/${BUSY}/listing-history`),
  page('why', '/hosts/:host/why', `/hosts/${BUSY}/why`),
  page('why, of a host that nobody named', '/hosts/:host/why', '/hosts/api.wether.example/why'),
  page('sources', '/sources'),
  page('probing', '/probing'),
  page('policy', '/policy'),
  page('evidence log', '/log'),
  page('docs', '/docs'),
  page('problems', '/problems'),
  page('one problem', '/problems/:slug', '/problems/unknown-host'),
  page('post', '/v1/posts/:id', `/v1/posts/${A_POST}`),
  page('review', '/v1/reviews/:id', '/v1/reviews/review-1'),
  page('no such address', '', '/nowhere', 404),
]

/** Problems that this world cannot be brought to answer are looked at as the server would write them. */
export const PROBLEMS: readonly ProblemSlug[] = ['payment-required', 'internal', 'not-ready']

/** Addresses that answer no page to anybody. */
export const NO_PAGES: readonly string[] = [
  '/log/checkpoint',
  '/log/tile/:tile{.+}',
  '/log/vkey',
  '/log/proof/:index',
  '/log/verify.mjs',
  '/v1/hosts',
  '/v1/hosts/:host',
  '/v1/hosts/:host/routes',
  '/v1/hosts/:host/probes',
  '/v1/hosts/:host/reviews',
  '/v1/hosts/:host/listing-history',
  '/v1/hosts/:host/why',
  '/v1/hosts/:host/statements',
  '/v1/hosts/:host/statements/message',
  '/v1/claims/message',
  '/v1/thread/:host',
  '/v1/thread/:host/message',
  '/mpp/v1/thread/:host/message',
  '/v1/reviews/message',
  '/v1/policy',
  '/v1/sources',
  '/v1/sources/:name',
  '/v1/events',
  '/healthz',
  '/readyz',
  '/hosts/:host/badge.svg',
  '/hosts/:host/badge.json',
  '/hosts/:host/picture.svg',
  '/hosts/:host/feed.atom',
  '/feed.atom',
  '/v1/decide',
  '/openapi.json',
  '/llms.txt',
  '/robots.txt',
  '/sitemap.xml',
  '/sitemaps/:part',
  '/.well-known/security.txt',
  '/icon.svg',
]
