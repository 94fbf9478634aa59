import type { Hono } from 'hono'
import { problem } from '../../domain/problem-kinds.ts'
import type { AppEnv, Handler } from '../call.ts'

type Method = 'GET' | 'POST'

/** One address and what it answers to. HEAD comes with GET; every other method is refused with the list of these. */
export function resource(app: Hono<AppEnv>, path: string, handlers: Readonly<Partial<Record<Method, Handler>>>): void {
  for (const [method, handler] of Object.entries(handlers)) app.on(method, path, handler)
  const allowed = Object.keys(handlers).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  app.all(path, (context) => {
    throw problem('method-not-allowed', `${context.req.method} is not answered here.`, {
      headers: { Allow: allowed.join(', ') },
    })
  })
}
