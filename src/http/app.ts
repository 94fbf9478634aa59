import { Hono } from 'hono'
import type { Problem } from '../domain/problem.ts'
import { problem } from '../domain/problem-kinds.ts'
import { allowedAt, methodsOf } from './allowed.ts'
import { toResponse } from './answer.ts'
import { tagged } from './cache/tagged.ts'
import type { AppContext, AppEnv, Services } from './call.ts'
import { hasCredential, withCharged } from './charged.ts'
import { compressed } from './compressed.ts'
import { isPreflight, preflightAnswer } from './cors.ts'
import { type Endpoint, routerPath } from './endpoint.ts'
import { ENDPOINTS } from './endpoints.ts'
import { nothingBelowHost } from './hosts-named.ts'
import { FORMATS } from './negotiation.ts'
import { patienceMs, patiently } from './patience.ts'
import { asProblem, problemAnswer } from './problems.ts'
import { isGone } from './server/gone.ts'

/** Answers every address of the directory. Reached only by requests that passed the edges. */
export function createApp(services: Services): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const deps = { ...services, operations: ENDPOINTS }
  for (const [path, endpoints] of endpointsByPath()) {
    for (const endpoint of endpoints) {
      const handler = endpoint.handler(deps)
      const answering = endpoint.method === 'get' ? tagged(handler) : handler
      app.on(endpoint.method.toUpperCase(), path, patiently(answering, patienceMs(endpoint)))
    }
    const Allow = methodsOf(endpoints)
    app.all(path, (context) => {
      if (isPreflight(context.env.incoming)) return preflightAnswer(Allow)
      throw problem('method-not-allowed', `${context.req.method} is not answered here.`, { headers: { Allow } })
    })
  }

  const refuse = async (error: unknown, context: AppContext): Promise<Response> => {
    const { id, head } = context.env.call
    const known = asProblem(error)
    if (known !== error && !isGone(context.env.incoming)) services.onTrouble(error, id)
    const { method, raw, path } = context.req
    const paying = { method, target: path, hasCredential: hasCredential(raw.headers.keys()) }
    const found = withCharged(paying, known, known !== error)
    const written = new URL(context.req.url).searchParams.get('format')
    const format = FORMATS.find((known) => known === written) ?? null
    const answer = problemAnswer(services.site, found, { requestId: id, accept: head.accept, format })
    return toResponse(await compressed(head, answer))
  }
  app.onError(refuse)
  app.notFound(async (context) => refuse(await nothingAt(context.req.path, services), context))
  return app
}

async function nothingAt(path: string, services: Services): Promise<Problem> {
  const words = 'This directory has no such address.'
  const bare = path.replace(/\/+$/, '')
  const isOneTooMany = bare !== path && allowedAt(bare) !== ''
  if (isOneTooMany) return problem('not-found', words, { hint: 'Leave out the slash at its end.' })
  return (await nothingBelowHost(services, path)) ?? problem('not-found', words)
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
