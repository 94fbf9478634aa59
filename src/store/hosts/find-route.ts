import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { hostKey, routeKey } from '../../domain/keys.ts'
import {
  addressOf,
  isTemplate,
  METHODS,
  type Method,
  RAILS,
  type Rail,
  type RouteAddress,
  type RouteKey,
  SCHEMES,
  type Scheme,
} from '../../domain/route.ts'
import { bestTemplate, LONGEST_TEMPLATE, listedPaths } from '../../domain/template.ts'
import { differences } from '../../domain/words/search.ts'
import { findHostId } from '../host-id.ts'
import type { Reader } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import type { StorePart } from '../sql/parts.ts'
import { RememberedStatement } from '../sql/remembered.ts'
import { hasQuery, isShapedLike, isTemplateLike } from '../sql/template-like.ts'
import type { RouteRef } from './route-ref.ts'

/** What a route is listed by where its source states no method. */
const UNSTATED: Method = 'GET'

/** Of one host, method, rail and shape. A seller may list any number of them, and each is tried at each call of its host. */
const MOST_TEMPLATES = 2_000

/** A listed route and its number. */
export interface FoundRoute extends RouteKey {
  readonly routeId: number
}

/** Where an address leads: to a host that was named, and to one of its routes. */
export interface FoundPlace {
  /** `undefined`: nobody ever named the host. */
  readonly hostId: number | undefined
  readonly route: FoundRoute | undefined
}

const key = z.object({ scheme: z.enum(SCHEMES), method: z.enum(METHODS), path: z.string(), rail: z.enum(RAILS) })

/** The route that an address names, or else the one that it names without the query of a call. */
export async function findRoute(part: StorePart, hostId: number, asked: RouteKey): Promise<FoundRoute | undefined> {
  for (const spellings of listedPaths(asked.path)) {
    const found = named(asked, spellings, await readAlike(part, hostId, asked, spellings))
    if (found) return found
  }
  return undefined
}

/**
 * The route that an address names, or else one of that very address for which no source has ever stated a method: a call of
 * any method may be meant by it.
 */
export async function findMeantRoute(
  part: StorePart,
  hostId: number,
  asked: RouteKey,
): Promise<FoundRoute | undefined> {
  if (asked.method === UNSTATED) return findRoute(part, hostId, asked)
  let found: FoundRoute | undefined
  let other: FoundRoute | undefined
  for (const spellings of listedPaths(asked.path)) {
    const rows = await readMeant(part, hostId, asked, spellings)
    const ofMethod = (method: Method) => rows.filter((row) => row.method === method)
    found ??= named(asked, spellings, ofMethod(asked.method))
    other ??= named({ ...asked, method: UNSTATED }, spellings, ofMethod(UNSTATED))
    if (found && (other || !isTemplate(found.path))) break
  }
  if (other === undefined || (found && (!isTemplate(found.path) || isTemplate(other.path)))) return found
  const [row] = await STATED.run(part, { hostId, routeId: other.routeId })
  return row?.stated === 0 ? other : found
}

const STATED = new RememberedStatement(
  { hostId: 0, routeId: 0 },
  (_, { hostId, routeId }) => sql<{ stated: number | null }>`select max(method_stated) as stated from listings
    where host_id = ${hostId} and route_id = ${routeId}`,
)

/** The listed route of this very path; without a scheme, https where both are listed. */
export async function findListed(
  part: StorePart,
  hostId: number,
  { scheme, method, path, rail }: Omit<RouteKey, 'scheme'> & { readonly scheme: Scheme | null },
): Promise<FoundRoute | undefined> {
  const rows = await LISTED.run(part, { hostId, method, path, rail })
  const row = rows.findLast((one) => scheme === null || one.scheme === scheme)
  return row && { scheme: row.scheme, method, path, rail, routeId: row.route_id }
}

const LISTED = new RememberedStatement(
  { hostId: 0, method: 'GET' as Method, path: '', rail: 'x402' as Rail },
  (_, { hostId, method, path, rail }) => sql<{ route_id: number; scheme: Scheme }>`select route_id, scheme from routes
    where host_id = ${hostId} and path = ${path} and method = ${method} and rail = ${rail} order by scheme`,
)

interface NamedRow {
  readonly route_id: number
  readonly method: Method
  readonly path: string
}

/** By the first of these spellings that is listed, or else through the template that says most about it. */
function named(asked: RouteKey, spellings: readonly string[], rows: readonly NamedRow[]): FoundRoute | undefined {
  const paths = rows.map((row) => row.path)
  const [path = asked.path] = spellings
  const listed = spellings.find((spelling) => paths.includes(spelling)) ?? bestTemplate(paths, path)
  const row = rows.find((one) => one.path === listed)
  return row && { ...asked, path: row.path, routeId: row.route_id }
}

const SHAPE = { hostId: 0, scheme: 'https' as Scheme, method: 'GET' as Method, rail: 'x402' as Rail, path: '' }
/** Most are spelled in one way; of those that are not, nobody has more others. Where there are fewer, the first stands again. */
const OTHERS = { path1: '', path2: '', path3: '', path4: '', path5: '', path6: '', path7: '' }
type Asked = typeof SHAPE & Partial<typeof OTHERS>

const otherPaths = ({ path1, path2, path3, path4, path5, path6, path7 }: Asked): readonly string[] =>
  [path1, path2, path3, path4, path5, path6, path7].filter((path) => path !== undefined)

/** The listed route of that method by any of the spellings, or else the templates that may stand for it: too many rather than too few. */
function alike(asked: Asked, method: Method, shaped: RawBuilder<unknown>): RawBuilder<unknown> {
  const { hostId, scheme, rail, path } = asked
  const of = sql`host_id = ${hostId} and scheme = ${scheme} and method = ${method} and rail = ${rail}`
  const others = otherPaths(asked)
  const listed = sql`from routes
    where ${of} and ${others.length === 0 ? sql`path = ${path}` : sql`path in (${sql.join([path, ...others])})`}`
  return sql`select route_id, method, path ${listed} union all
    select route_id, method, path from (select route_id, method, path from routes
      where ${of} and length(path) <= ${sql.lit(LONGEST_TEMPLATE)} and ${isTemplateLike(sql`path`)} and ${shaped}
        and not exists (select 1 ${listed}) order by path limit ${sql.lit(MOST_TEMPLATES)}) as t`
}

type MethodsOf = (asked: Method) => readonly Method[]

const allAlike = (methodsOf: MethodsOf, asked: Asked, shaped: RawBuilder<unknown>): RawBuilder<NamedRow> =>
  sql`${sql.join(
    methodsOf(asked.method).map((method) => alike(asked, method, shaped)),
    sql` union all `,
  )}`

/** Each planned once, however a request is spelled. */
const withoutQuery = <V extends Asked>(methodsOf: MethodsOf, like: V) =>
  new RememberedStatement({ ...like, slashes: 0 }, (_, asked) =>
    allAlike(methodsOf, asked, isShapedLike(sql`path`, asked.slashes)),
  )
const withQuery = <V extends Asked>(methodsOf: MethodsOf, like: V) =>
  new RememberedStatement(like, (_, asked) => allAlike(methodsOf, asked, hasQuery(sql`path`)))

/** Reads the routes of these methods that an address may mean. */
function routesAlike(methodsOf: MethodsOf) {
  const several = { ...SHAPE, ...OTHERS }
  const ofPath = { one: withoutQuery(methodsOf, SHAPE), several: withoutQuery(methodsOf, several) }
  const ofQuery = { one: withQuery(methodsOf, SHAPE), several: withQuery(methodsOf, several) }
  return (
    part: StorePart,
    hostId: number,
    { scheme, method, rail }: RouteKey,
    [path = '', ...others]: readonly string[],
  ): Promise<NamedRow[]> => {
    const asked = { hostId, scheme, method, rail, path }
    const slashes = path.split('/').length - 1
    const isQuery = path.includes('?')
    if (others.length === 0) return isQuery ? ofQuery.one.run(part, asked) : ofPath.one.run(part, { ...asked, slashes })
    const names = Object.keys(OTHERS)
    const spelled = Object.fromEntries(names.map((name, place) => [name, others[place] ?? path]))
    const all = { ...several, ...asked, ...spelled }
    return isQuery ? ofQuery.several.run(part, all) : ofPath.several.run(part, { ...all, slashes })
  }
}

const readAlike = routesAlike((method) => [method])
const readMeant = routesAlike((method) => [method, UNSTATED])

const ASKED = {
  n: 'int',
  host_id: 'int',
  route_id: 'int',
  name: 'text',
  scheme: 'text',
  method: 'text',
  path: 'text',
  rail: 'text',
} as const

/** The numbers of those that are listed as they are, by their place among the asked ones, in one statement. */
export async function listedAsTheyAre(
  reader: Reader,
  dialect: Dialect,
  asked: readonly RouteRef[],
): Promise<ReadonlyMap<number, { readonly host_id: number; readonly route_id: number }>> {
  const rows = asked.map(
    (ref, n): Row => [n, hostKey(ref.host), routeKey(ref), ref.host, ref.scheme, ref.method, ref.path, ref.rail],
  )
  const exact = await sql<{ n: number; host_id: number; route_id: number }>`select v.n, r.host_id, r.route_id
    from ${dialect.rows(ASKED, rows)} as v cross join hosts as h cross join routes as r
    where h.host_id = v.host_id and h.name = v.name and r.host_id = v.host_id and r.route_id = v.route_id
      and r.scheme = v.scheme and r.method = v.method and r.path = v.path and r.rail = v.rail`.execute(reader)
  return new Map(exact.rows.map((row) => [row.n, row]))
}

/** Where each of these addresses leads, in their order. */
export async function findPlaces(
  reader: Reader,
  dialect: Dialect,
  asked: readonly RouteRef[],
): Promise<readonly FoundPlace[]> {
  const found = await listedAsTheyAre(reader, dialect, asked)
  return Promise.all(
    asked.map(async ({ host, scheme, method, path, rail }, n) => {
      const key: RouteKey = { scheme, method, path, rail }
      const row = found.get(n)
      if (row) return { hostId: row.host_id, route: { ...key, routeId: row.route_id } }
      // A template's, or one whose number another one had already.
      const hostId = await findHostId(reader, host)
      return {
        hostId,
        route: hostId === undefined ? undefined : await findRoute({ read: reader, dialect }, hostId, key),
      }
    }),
  )
}

/** A route as whoever mistyped it may have meant it. */
export interface NearRoute extends Pick<RouteKey, 'method' | 'rail'> {
  readonly url: string
}

const NEAR_ROUTES = 5
/** Routes that are looked at on either side of the asked one, in the order of paths. */
const ROUTES_AROUND = 25

/** Listed routes of the host around the asked one in the order of paths, the most alike first. */
export async function nearRoutes(
  reader: Reader,
  hostId: number,
  { host, path }: Pick<RouteAddress, 'host' | 'path'>,
): Promise<NearRoute[]> {
  const near = (after: boolean) =>
    reader
      .selectFrom('routes')
      .select(['scheme', 'method', 'path', 'rail'])
      .where('host_id', '=', hostId)
      .where('path', after ? '>=' : '<', path)
      .orderBy('path', after ? 'asc' : 'desc')
      .limit(ROUTES_AROUND)
      .execute()
  const [before, after] = await Promise.all([near(false), near(true)])
  const found = [...after, ...before].map((row) => ({ row, errors: differences(path, row.path) }))
  const nearest = found.sort((a, b) => a.errors - b.errors).slice(0, NEAR_ROUTES)
  return nearest
    .map(({ row }) => key.parse(row))
    .map((one) => ({ method: one.method, url: addressOf(one.scheme, host, one.path), rail: one.rail }))
}
