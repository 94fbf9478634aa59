import type { SellerHost } from '../../../domain/host.ts'
import { probesJson, reviewsJson, routesJson } from '../../../render/json/pages.ts'
import type { Site } from '../../../render/site.ts'
import { PATHS } from '../../../wire/paths.ts'
import { jsonPage } from '../../cache/representation.ts'
import type { Handler, Services } from '../../call.ts'
import { createEndpoint } from '../../endpoint.ts'
import { hostIn, sendHostPage } from '../../hosts-named.ts'
import { json } from '../../openapi/operation.ts'
import { host, page } from '../../openapi/parameters.ts'
import { HOST_LIST_PROBLEMS } from '../../openapi/problem-sets.ts'
import { Parameters } from '../../parameters.ts'
import { type HostList, PROBES, REVIEWS, ROUTES } from './lists.ts'

/** Answers with one page of a list, as JSON. `query` continues on the next page. */
export const listHandler =
  <Filter, Found>(
    list: HostList<Filter, Found>,
    documentOf: (site: Site, host: SellerHost, found: Found, query: URLSearchParams) => object,
  ) =>
  (services: Services): Handler =>
  (context) => {
    const host = hostIn(context, services)
    const parameters = new Parameters(context.req.url)
    const page = { limit: parameters.limit(), cursor: parameters.cursor() }
    const query = parameters.kept([...list.parameters.map(({ name }) => name), 'limit'])
    return sendHostPage(services, context, {
      key: JSON.stringify([list.name, host, query.toString(), page.limit, page.cursor]),
      host,
      render: async () => {
        const { site, directory } = services
        const found = await list.open(directory, host, { ...page, ...list.filter(parameters) })
        return found && jsonPage(documentOf(site, host, found, query))
      },
    })
  }

export const listRoutesEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.apiHostRoutes, id: 'listRoutes', tag: 'Hosts', isCached: true },
  summary: "A host's routes, by path and method",
  parameters: [host, ...ROUTES.parameters, ...page],
  answers: { 200: json('Routes', 'One page of routes') },
  problems: HOST_LIST_PROBLEMS,
  handler: listHandler(ROUTES, routesJson),
})

export const listProbesEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.apiHostProbes, id: 'listProbes', tag: 'Hosts', isCached: true },
  summary: "A host's probe entries, newest first",
  parameters: [host, ...PROBES.parameters, ...page],
  answers: { 200: json('Probes', 'One page of entries') },
  problems: HOST_LIST_PROBLEMS,
  handler: listHandler(PROBES, probesJson),
})

export const listReviewsEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.apiHostReviews, id: 'listReviews', tag: 'Reviews', isCached: true },
  summary: "A host's reviews, newest first",
  parameters: [host, ...REVIEWS.parameters, ...page],
  answers: { 200: json('Reviews', 'One page of reviews') },
  problems: HOST_LIST_PROBLEMS,
  handler: listHandler(REVIEWS, reviewsJson),
})
