import type { SellerHost } from '../../domain/host.ts'
import { problem } from '../../domain/problem-kinds.ts'
import { LEVELS } from '../../domain/review.ts'
import { LONGEST_PATH, METHODS, RAILS } from '../../domain/route.ts'
import { probesJson, reviewsJson, routesJson, threadJson } from '../../render/json/pages.ts'
import type { PageRequest } from '../../views/directory.ts'
import type { RouteFilter } from '../../views/route-filter.ts'
import type { Handler, Services } from '../call.ts'
import { hostIn, sendHostPage } from '../hosts-named.ts'
import { Parameters } from '../parameters.ts'

/** One list of one host, as JSON: what it reads and how it prints it. `query` continues on the next page. */
type ListReader = (
  services: Services,
  host: SellerHost,
  page: PageRequest,
  query: URLSearchParams,
  parameters: Parameters,
) => Promise<object | undefined>

const listRoute =
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

export const routesRoute = listRoute(
  'routes',
  ['q', 'method'],
  async ({ site, directory }, host, page, query, parameters) => {
    const found = await directory.routes(host, { ...page, ...routeFilter(parameters) })
    return found && routesJson(site, host, found, query)
  },
)

/** Which of a host's routes are asked for, here and on its page. */
export const routeFilter = (parameters: Parameters): RouteFilter => ({
  q: parameters.line('q'),
  method: parameters.oneOf('method', METHODS),
})

export const probesRoute = listRoute(
  'probes',
  ['method', 'path', 'rail'],
  async ({ site, directory }, host, page, query, parameters) => {
    const filter = {
      method: parameters.oneOf('method', METHODS),
      path: pathIn(parameters),
      rail: parameters.oneOf('rail', RAILS),
    }
    const found = await directory.probes(host, { ...page, ...filter })
    return found && probesJson(site, host, found, query)
  },
)

export const reviewsRoute = listRoute(
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
)

export const threadRoute = listRoute('thread', [], async ({ site, directory }, host, page, query) => {
  const found = await directory.thread(host, page)
  return found && threadJson(site, host, found, query)
})

/** A route's path may be empty, so here an empty value says something. */
export function pathIn(parameters: Parameters): string | null {
  const path = parameters.exact('path')
  if (path === null || Buffer.byteLength(path) <= LONGEST_PATH) return path
  throw problem('invalid-parameter', `The parameter path must be at most ${LONGEST_PATH} bytes long.`, {
    more: { parameter: 'path' },
  })
}
