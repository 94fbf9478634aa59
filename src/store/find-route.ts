import { sql } from 'kysely'
import { z } from 'zod'
import { METHODS, RAILS, type RouteKey, SCHEMES } from '../domain/route.ts'
import { bestTemplate } from '../domain/template.ts'
import type { Reader } from './schema.ts'

/** A listed route and its number. */
export interface FoundRoute extends RouteKey {
  readonly routeId: number
}

const key = z.object({ scheme: z.enum(SCHEMES), method: z.enum(METHODS), path: z.string(), rail: z.enum(RAILS) })

/** The route that an address names: exactly, or else through the template that says most about it. */
export async function findRoute(reader: Reader, hostId: number, asked: RouteKey): Promise<FoundRoute | undefined> {
  const { scheme, method, path, rail } = asked
  const alike = reader
    .selectFrom('routes')
    .select(['route_id', 'path'])
    .where('host_id', '=', hostId)
    .where('method', '=', method)
    .where('rail', '=', rail)
    .where('scheme', '=', scheme)
  const exact = await alike.where('path', '=', path).executeTakeFirst()
  if (exact) return { ...asked, routeId: exact.route_id }
  // Finds too many rather than too few: what is a template is said by `bestTemplate`.
  const templates = await alike
    .where((or) => or.or([or('path', 'like', '%/:%'), or('path', 'like', '%{%'), or(sql`lower(path)`, 'like', '%7b%')]))
    .execute()
  const best = bestTemplate(
    templates.map((row) => row.path),
    path,
  )
  const found = templates.find((row) => row.path === best)
  return found && { ...asked, path: found.path, routeId: found.route_id }
}

/** Listed routes of the host that come before and after the asked one in the order of paths, for whoever mistyped. */
export async function routesAround(reader: Reader, hostId: number, path: string, most: number): Promise<RouteKey[]> {
  const near = (after: boolean) =>
    reader
      .selectFrom('routes')
      .select(['scheme', 'method', 'path', 'rail'])
      .where('host_id', '=', hostId)
      .where('path', after ? '>=' : '<', path)
      .orderBy('path', after ? 'asc' : 'desc')
      .limit(most)
      .execute()
  const [before, after] = await Promise.all([near(false), near(true)])
  return [...after, ...before].map((row) => key.parse(row))
}
