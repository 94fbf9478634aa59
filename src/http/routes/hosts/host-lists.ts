import type { SellerHost } from '../../../domain/host.ts'
import { isVantage } from '../../../domain/now/vantage.ts'
import { problem } from '../../../domain/problem-kinds.ts'
import { LEVELS } from '../../../domain/review.ts'
import { LONGEST_PATH, METHODS, RAILS } from '../../../domain/route.ts'
import { probesJson, reviewsJson, routesJson } from '../../../render/json/pages.ts'
import type { PageRequest } from '../../../views/directory.ts'
import type { RouteFilter } from '../../../views/route/route-filter.ts'
import { level, method } from '../../../wire/api/values.ts'
import { PATHS } from '../../../wire/paths.ts'
import type { Handler, Services } from '../../call.ts'
import { createEndpoint } from '../../endpoint.ts'
import { hostIn, sendHostPage } from '../../hosts-named.ts'
import { json } from '../../openapi/operation.ts'
import { host, inQuery, methodOf, page, pathOf, railOf, vantageOf } from '../../openapi/parameters.ts'
import { HOST_LIST_PROBLEMS } from '../../openapi/problem-sets.ts'
import { Parameters } from '../../parameters.ts'

/** One list of one host, as JSON: what it reads and how it prints it. `query` continues on the next page. */
type ListReader = (
  services: Services,
  host: SellerHost,
  page: PageRequest,
  query: URLSearchParams,
  parameters: Parameters,
) => Promise<object | undefined>

export const listHandler =
  (name: string, filters: readonly string[], read: ListReader) =>
  (services: Services): Handler =>
  (context) => {
    const host = hostIn(context, services)
    const parameters = new Parameters(context.req.url)
    const page = { limit: parameters.limit(), cursor: parameters.cursor() }
    const query = parameters.kept([...filters, 'limit'])
    return sendHostPage(services, context, {
      key: JSON.stringify([name, host, query.toString(), page.limit, page.cursor]),
      host,
      render: async () => {
        const document = await read(services, host, page, query, parameters)
        return (
          document && {
            contentType: 'application/json',
            text: `${JSON.stringify(document)}\n`,
            headers: [['Vary', 'Accept-Encoding']],
          }
        )
      },
    })
  }

/** Which of a host's routes are asked for, here and on its page. */
export const filterParameters = [
  inQuery('q', 'Part of the path', { example: 'v1' }),
  inQuery('method', `One of ${METHODS.join(', ')}`, { schema: method, example: 'GET' }),
]

export const routeFilter = (parameters: Parameters): RouteFilter => ({
  q: parameters.search(),
  method: parameters.oneOf('method', METHODS),
})

export const listRoutesEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.apiHostRoutes, id: 'listRoutes', tag: 'Hosts', isCached: true },
  summary: "A host's routes, by path and method",
  parameters: [host, ...filterParameters, ...page],
  answers: { 200: json('Routes', 'One page of routes') },
  problems: HOST_LIST_PROBLEMS,
  handler: listHandler('routes', ['q', 'method'], async ({ site, directory }, host, page, query, parameters) => {
    const found = await directory.routes(host, { ...page, ...routeFilter(parameters) })
    return found && routesJson(site, host, found, query)
  }),
})

export const PROBE_FILTERS = ['method', 'path', 'rail', 'vantage']

/** Which of a host's entries are asked for, here and on its page. */
export const probeFilter = (parameters: Parameters) => ({
  method: parameters.oneOf('method', METHODS),
  path: pathIn(parameters),
  rail: parameters.oneOf('rail', RAILS),
  vantage: parameters.parsed('vantage', '1 to 32 of a-z, 0-9 and -', (text) => (isVantage(text) ? text : undefined)),
})

export const listProbesEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.apiHostProbes, id: 'listProbes', tag: 'Hosts', isCached: true },
  summary: "A host's probe entries, newest first",
  parameters: [host, methodOf(), pathOf(), railOf(), vantageOf, ...page],
  answers: { 200: json('Probes', 'One page of entries') },
  problems: HOST_LIST_PROBLEMS,
  handler: listHandler('probes', PROBE_FILTERS, async ({ site, directory }, host, page, query, parameters) => {
    const filter = probeFilter(parameters)
    const found = await directory.probes(host, { ...page, ...filter })
    return found && probesJson(site, host, found, query)
  }),
})

export const listReviewsEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.apiHostReviews, id: 'listReviews', tag: 'Reviews', isCached: true },
  summary: "A host's reviews, newest first",
  parameters: [
    host,
    inQuery('level', 'Support level', { schema: level, example: 'Signed' }),
    methodOf(),
    pathOf(),
    ...page,
  ],
  answers: { 200: json('Reviews', 'One page of reviews') },
  problems: HOST_LIST_PROBLEMS,
  handler: listHandler(
    'reviews',
    ['level', 'method', 'path'],
    async ({ site, directory }, host, page, query, parameters) => {
      const filter = {
        level: parameters.oneOf('level', LEVELS),
        method: parameters.oneOf('method', METHODS),
        path: pathIn(parameters),
      }
      const found = await directory.reviews(host, { ...page, ...filter })
      return found && reviewsJson(site, host, found, query)
    },
  ),
})

/** A route's path may be empty, so here an empty value says something. */
export function pathIn(parameters: Parameters): string | null {
  const path = parameters.exact('path')
  if (path === null || Buffer.byteLength(path) <= LONGEST_PATH) return path
  throw problem('invalid-parameter', `The parameter path must be at most ${LONGEST_PATH} bytes long.`, {
    more: { parameter: 'path' },
  })
}
