import { z } from 'zod'
import type { SellerHost } from '../../../domain/host.ts'
import { problem } from '../../../domain/problem-kinds.ts'
import { METHODS, RAILS, SCHEMES } from '../../../domain/route.ts'
import { agoStandsForMs } from '../../../domain/time/relative.ts'
import { routePage } from '../../../render/html/pages/route-page.tsx'
import { routePageJson } from '../../../render/json/route-page.ts'
import { routePageMarkdown } from '../../../render/markdown/route-page.ts'
import { hostHref, routeHref, type Site } from '../../../render/site.ts'
import type { PageRequest } from '../../../views/directory.ts'
import type { RoutePageView, RouteRequest } from '../../../views/route/route-view.ts'
import type { NearRoute } from '../../../wire/api/problem.ts'
import { PATHS } from '../../../wire/paths.ts'
import { alternates } from '../../alternates.ts'
import { jsonText } from '../../answer.ts'
import { representation } from '../../cache/representation.ts'
import { negotiate, sendPage } from '../../cache/send-page.ts'
import { createEndpoint } from '../../endpoint.ts'
import { hostIn, requireHost } from '../../hosts-named.ts'
import type { Format } from '../../negotiation.ts'
import { forms } from '../../openapi/operation.ts'
import { cursor, formatOf, host, inQuery, limit, methodOf, pathOf, railOf } from '../../openapi/parameters.ts'
import { HOST_LIST_PROBLEMS } from '../../openapi/problem-sets.ts'
import { Parameters } from '../../parameters.ts'
import { pathIn } from './lists.ts'

type Bodies = Readonly<Record<Format, (site: Site, view: RoutePageView, page: PageRequest) => string>>

const BODIES: Bodies = {
  html: routePage,
  md: routePageMarkdown,
  json: (site, view) => jsonText(routePageJson(site, view)),
}

export const getRouteEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.route, id: 'getRoute', tag: 'Hosts', isCached: true },
  summary: 'Everything about one route, as a page, Markdown or JSON',
  parameters: [
    host,
    methodOf({ required: true }),
    pathOf({ required: true }),
    railOf({ required: true }),
    inQuery('scheme', 'https unless given', { schema: z.enum(SCHEMES), example: 'https' }),
    limit,
    cursor,
    formatOf(['html', 'md', 'json']),
  ],
  answers: { 200: forms({ html: 'text', md: 'text', json: 'RoutePage' }, 'The route and one page of its entries') },
  problems: [...HOST_LIST_PROBLEMS, 'unknown-route', 'not-acceptable'],
  handler: (services) => async (context) => {
    const { site, directory } = services
    const parameters = new Parameters(context.req.url)
    const format = negotiate(context, parameters)
    const host = hostIn(context, services)
    const asked = routeIn(parameters)
    const page = { limit: parameters.limit(), cursor: parameters.cursor() }
    const response = await sendPage(services, context, {
      key: JSON.stringify(['route', host, format, asked, page]),
      host,
      saysVersion: true,
      render: async (onVersion) => {
        const view = await directory.route(host, asked, page, onVersion)
        if (view === undefined) return undefined
        const as = (other: Format): string => routeHref(host, view.route, { format: other, cursor: page.cursor })
        return representation(format, BODIES[format](site, view, page), alternates(site, format, as), {
          // Its windows move with the time.
          standsForMs: agoStandsForMs(format === 'html' ? [view.route.now?.checkedUs ?? null] : [], view.nowUs),
        })
      },
    })
    if (response !== undefined) return response
    await requireHost(services, host)
    throw unknownRoute(host, asked, await directory.nearRoutes(host, asked.path))
  },
})

const GIVE = 'Give method, path and rail.'

function routeIn(parameters: Parameters): RouteRequest {
  const given = parameters.hinting(GIVE)
  const method = given.oneOf('method', METHODS)
  const path = pathIn(given)
  const rail = given.oneOf('rail', RAILS)
  if (method === null || path === null || rail === null) {
    throw problem(
      'invalid-parameter',
      'The parameters method, path and rail must be given: together they name a route.',
      { hint: GIVE },
    )
  }
  return { method, path, rail, scheme: parameters.oneOf('scheme', SCHEMES) }
}

const unknownRoute = (host: SellerHost, { method, path, rail }: RouteRequest, near: readonly NearRoute[]) =>
  problem('unknown-route', `No route ${method} ${path} on rail ${rail} is known for the host ${host}.`, {
    hint: `The routes of this host are listed at ${hostHref(host)}; a path is written as its source wrote it.`,
    more: { host, near_matches: near },
  })
