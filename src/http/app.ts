import { Hono } from 'hono'
import type { Logger } from 'pino'
import { problem } from '../domain/problem-kinds.ts'
import { toResponse } from './answer.ts'
import type { AppContext, AppEnv, Services } from './call.ts'
import { hasCredential, withCharged } from './charged.ts'
import { FORMATS } from './negotiation.ts'
import { asProblem, problemAnswer } from './problems.ts'
import { docsRoute, llmsRoute, openapiRoute } from './routes/agents.ts'
import { badgeJsonRoute, badgeRoute } from './routes/badge.ts'
import { robotsRoute, securityRoute, sitemapPartRoute, sitemapRoute } from './routes/crawlers.ts'
import { decideRoute } from './routes/decide.ts'
import { eventsRoute } from './routes/events.ts'
import { feedRoute, hostFeedRoute } from './routes/feeds.ts'
import { apiHostRoute, hostRoute } from './routes/host.ts'
import { probesRoute, reviewsRoute, routesRoute, threadRoute } from './routes/host-lists.ts'
import { apiHostsRoute, homeRoute } from './routes/hosts.ts'
import { mcpRoute } from './routes/mcp.ts'
import { messageRoute } from './routes/message.ts'
import { apiPolicyRoute, policyRoute } from './routes/policy.ts'
import { postRoute } from './routes/posts.ts'
import { resource } from './routes/resource.ts'
import { reviewMessageRoute } from './routes/review-message.ts'
import { reviewRoute, submitReviewRoute } from './routes/reviews.ts'
import { routeRoute } from './routes/route.ts'
import { aliveRoute, iconRoute, probingRoute, problemRoute, problemsRoute, readyRoute } from './routes/site.ts'
import { apiSourcesRoute, sourcesRoute } from './routes/sources.ts'
import { postRouteOn } from './routes/thread.ts'

/** Every address of the directory. Reached only by requests that passed the edges. */
export function createApp(services: Services, log: Logger): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  resource(app, '/', { GET: homeRoute(services) })
  resource(app, '/hosts/:host', { GET: hostRoute(services) })
  resource(app, '/hosts/:host/route', { GET: routeRoute(services) })
  resource(app, '/v1/hosts', { GET: apiHostsRoute(services) })
  resource(app, '/v1/hosts/:host', { GET: apiHostRoute(services) })
  resource(app, '/v1/hosts/:host/routes', { GET: routesRoute(services) })
  resource(app, '/v1/hosts/:host/probes', { GET: probesRoute(services) })
  resource(app, '/v1/hosts/:host/reviews', { GET: reviewsRoute(services) })
  resource(app, '/v1/thread/:host', { GET: threadRoute(services), POST: postRouteOn('x402')(services) })
  resource(app, '/mpp/v1/thread/:host', { POST: postRouteOn('mpp')(services) })
  resource(app, '/v1/thread/:host/message', { GET: messageRoute(services) })
  resource(app, '/v1/posts/:id', { GET: postRoute(services) })
  resource(app, '/v1/reviews', { POST: submitReviewRoute(services) })
  resource(app, '/v1/reviews/message', { GET: reviewMessageRoute(services) })
  resource(app, '/v1/reviews/:id', { GET: reviewRoute(services) })
  resource(app, '/policy', { GET: policyRoute(services) })
  resource(app, '/v1/policy', { GET: apiPolicyRoute(services) })
  resource(app, '/sources', { GET: sourcesRoute(services) })
  resource(app, '/v1/sources', { GET: apiSourcesRoute(services) })
  resource(app, '/probing', { GET: probingRoute(services) })
  resource(app, '/problems', { GET: problemsRoute(services) })
  resource(app, '/problems/:slug', { GET: problemRoute(services) })
  resource(app, '/healthz', { GET: aliveRoute() })
  resource(app, '/readyz', {
    GET: readyRoute(services, (error) => log.warn({ err: error }, 'the store does not answer')),
  })
  resource(app, '/hosts/:host/badge.svg', { GET: badgeRoute(services) })
  resource(app, '/hosts/:host/badge.json', { GET: badgeJsonRoute(services) })
  resource(app, '/hosts/:host/feed.atom', { GET: hostFeedRoute(services) })
  resource(app, '/feed.atom', { GET: feedRoute(services) })
  resource(app, '/v1/events', { GET: eventsRoute(services) })
  resource(app, '/robots.txt', { GET: robotsRoute(services) })
  resource(app, '/sitemap.xml', { GET: sitemapRoute(services) })
  resource(app, '/sitemaps/:part', { GET: sitemapPartRoute(services) })
  resource(app, '/.well-known/security.txt', { GET: securityRoute(services) })
  resource(app, '/icon.svg', { GET: iconRoute() })
  resource(app, '/v1/decide', { GET: decideRoute(services) })
  resource(app, '/openapi.json', { GET: openapiRoute(services) })
  resource(app, '/docs', { GET: docsRoute(services) })
  resource(app, '/llms.txt', { GET: llmsRoute(services) })
  resource(app, '/mcp', { POST: mcpRoute(services) })

  const refuse = (error: unknown, context: AppContext): Response => {
    const { id, head } = context.env.call
    const known = asProblem(error)
    if (known !== error) log.error({ request_id: id, err: error }, 'request failed')
    const { method, raw, path } = context.req
    const paying = { method, target: path, hasCredential: hasCredential(raw.headers.keys()) }
    const found = withCharged(paying, known, known !== error)
    const written = new URL(context.req.url).searchParams.get('format')
    const format = FORMATS.find((known) => known === written) ?? null
    return toResponse(problemAnswer(services.site, found, { requestId: id, accept: head.accept, format }))
  }
  app.onError(refuse)
  app.notFound((context) => refuse(problem('not-found', 'This directory has no such address.'), context))
  return app
}
