import { Hono } from 'hono'
import type { Logger } from 'pino'
import { toResponse } from './answer.ts'
import type { AppContext, AppEnv, Services } from './call.ts'
import { FORMATS } from './negotiation.ts'
import { problem } from './problem-kinds.ts'
import { asProblem, problemAnswer } from './problems.ts'
import { apiHostRoute, hostRoute } from './routes/host.ts'
import { probesRoute, reviewsRoute, routesRoute, threadRoute } from './routes/host-lists.ts'
import { apiHostsRoute, homeRoute } from './routes/hosts.ts'
import { resource } from './routes/resource.ts'
import { aliveRoute, iconRoute, probingRoute, problemRoute, readyRoute, robotsRoute } from './routes/site.ts'
import { apiSourcesRoute, sourcesRoute } from './routes/sources.ts'

/** Every address of the directory. Reached only by requests that passed the edges. */
export function createApp(services: Services, log: Logger): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  resource(app, '/', { GET: homeRoute(services) })
  resource(app, '/hosts/:host', { GET: hostRoute(services) })
  resource(app, '/v1/hosts', { GET: apiHostsRoute(services) })
  resource(app, '/v1/hosts/:host', { GET: apiHostRoute(services) })
  resource(app, '/v1/hosts/:host/routes', { GET: routesRoute(services) })
  resource(app, '/v1/hosts/:host/probes', { GET: probesRoute(services) })
  resource(app, '/v1/hosts/:host/reviews', { GET: reviewsRoute(services) })
  resource(app, '/v1/thread/:host', { GET: threadRoute(services) })
  resource(app, '/sources', { GET: sourcesRoute(services) })
  resource(app, '/v1/sources', { GET: apiSourcesRoute(services) })
  resource(app, '/probing', { GET: probingRoute(services) })
  resource(app, '/problems/:slug', { GET: problemRoute(services) })
  resource(app, '/healthz', { GET: aliveRoute() })
  resource(app, '/readyz', {
    GET: readyRoute(services, (error) => log.warn({ err: error }, 'the store does not answer')),
  })
  resource(app, '/robots.txt', { GET: robotsRoute() })
  resource(app, '/icon.svg', { GET: iconRoute() })

  const refuse = (error: unknown, context: AppContext): Response => {
    const { id, head } = context.env.call
    const found = asProblem(error)
    if (found !== error) log.error({ request_id: id, err: error }, 'request failed')
    const written = new URL(context.req.url).searchParams.get('format')
    const format = FORMATS.find((known) => known === written) ?? null
    return toResponse(problemAnswer(services.site, found, { requestId: id, accept: head.accept, format }))
  }
  app.onError(refuse)
  app.notFound((context) => refuse(problem('not-found', 'This directory has no such address.'), context))
  return app
}
