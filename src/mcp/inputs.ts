import { z } from 'zod'
import { parseHost, type SellerHost } from '../domain/host.ts'
import type { Problem } from '../domain/problem.ts'
import { problem } from '../domain/problem-kinds.ts'
import { METHODS, parseAddress, RAILS, type RouteKey } from '../domain/route.ts'
import { foreignCursor } from '../wire/cursor.ts'
import { unknownHost as unknownHostProblem } from '../wire/unknown-host.ts'
import type { ToolDeps } from './tool-deps.ts'

export const hostInput = z.string().describe('Seller host as in its address, such as api.example.com')

/** Names one route. */
export const routeInput = {
  method: z.enum(METHODS).describe('HTTP method of the route'),
  url: z.string().describe('Full address of the route; may be concrete where the listed path is a template'),
  rail: z.enum(RAILS).describe('What the route is paid through'),
}

export const pageInput = {
  limit: z.int().min(1).max(50).default(10).describe('How many'),
  cursor: z.string().optional().describe('`next` of the page before, or its cursor beside the same conditions'),
}

export interface NamedRoute extends RouteKey {
  readonly host: SellerHost
}

export function hostNamed(text: string, { allow }: ToolDeps): SellerHost {
  const reading = parseHost(text, allow)
  if (reading.ok) return reading.host
  throw problem('invalid-host', `This is not a seller host: ${reading.reason}.`)
}

export function routeNamed(
  { method, url, rail }: { method: RouteKey['method']; url: string; rail: RouteKey['rail'] },
  { allow }: ToolDeps,
): NamedRoute {
  const reading = parseAddress(url, allow)
  if (reading.ok) return { ...reading.address, method, rail }
  throw problem('invalid-parameter', `The url is not the address of a route: ${reading.reason}.`, {
    hint: 'Give the full address of a route, such as https://api.example.com/v1/weather.',
  })
}

/** A cursor by itself or inside the address of a next page. */
export function cursorIn(text: string | undefined): string | null {
  if (text === undefined || text === '') return null
  if (!URL.canParse(text)) return text
  const { searchParams } = new URL(text)
  return searchParams.get('cursor') ?? searchParams.get('after')
}

/** What the address of a next page asks for beside its cursor: the same list goes on, also where nobody says it again. */
export function askedBefore<T>(conditions: z.ZodType<T>, next = ''): T {
  const named = URL.canParse(next) ? Object.fromEntries(new URL(next).searchParams) : {}
  const before = conditions.safeParse(named)
  if (!before.success) throw foreignCursor()
  return before.data
}

export const unknownHost = async ({ directory }: ToolDeps, host: SellerHost): Promise<Problem> =>
  unknownHostProblem(
    host,
    await directory.nearHosts(host),
    'Look for it with search_hosts; what no source names should_i_pay judges by its offer.',
  )

/** Of a route that was not found: the host is unknown, or it has no such route. */
export async function unknownRoute(deps: ToolDeps, { host, method, path, rail }: NamedRoute): Promise<Problem> {
  if ((await deps.directory.hostVersion(host)) === undefined) return unknownHost(deps, host)
  return problem('unknown-route', `No listing source has named ${method} ${path || '/'} on ${rail} of ${host}.`, {
    hint: 'Give method, url and rail as get_host lists them. What no source names should_i_pay judges by its offer.',
    more: { near_matches: await deps.directory.nearRoutes(host, path) },
  })
}
