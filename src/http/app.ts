import { Hono } from 'hono'
import type { Logger } from 'pino'
import { problem } from '../domain/problem-kinds.ts'
import { toResponse } from './answer.ts'
import type { AppContext, AppEnv, Services } from './call.ts'
import { hasCredential, withCharged } from './charged.ts'
import { isPreflight, preflightAnswer } from './cors.ts'
import { type Endpoint, routerPath } from './endpoint.ts'
import { ENDPOINTS } from './endpoints.ts'
import { FORMATS } from './negotiation.ts'
import { asProblem, problemAnswer } from './problems.ts'
import { isGone } from './server/gone.ts'

/** Answers every address of the directory. Reached only by requests that passed the edges. */
export function createApp(services: Services, log: Logger): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const deps = { ...services, log, operations: ENDPOINTS }
  for (const [path, endpoints] of endpointsByPath()) {
    for (const { method, handler } of endpoints) app.on(method.toUpperCase(), path, handler(deps))
    const Allow = endpoints
      .flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
      .join(', ')
    app.all(path, (context) => {
      if (isPreflight(context.req.method, context.req.raw.headers)) return preflightAnswer(Allow)
      throw problem('method-not-allowed', `${context.req.method} is not answered here.`, { headers: { Allow } })
    })
  }

  const refuse = (error: unknown, context: AppContext): Response => {
    const { id, head } = context.env.call
    const known = asProblem(error)
    if (known !== error && !isGone(context.env.incoming)) log.error({ request_id: id, err: error }, 'request failed')
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

/** An address is refused under every method but those of its endpoints, so these are registered together. */
function endpointsByPath(): ReadonlyMap<string, readonly Endpoint[]> {
  const paths = new Map<string, Endpoint[]>()
  for (const endpoint of ENDPOINTS) {
    const path = routerPath(endpoint.path)
    paths.set(path, [...(paths.get(path) ?? []), endpoint])
  }
  return paths
}
