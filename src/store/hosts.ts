import { sql } from 'kysely'
import type { SellerHost } from '../domain/host.ts'
import { hostKey, nextKey, routeKey } from '../domain/keys.ts'
import type { Deltas } from './deltas.ts'
import type { Dialect, Row } from './dialect.ts'
import type { RouteId, RouteRef } from './evidence.ts'
import type { Reader, Writer } from './schema.ts'

/** The host's number, or `undefined` when nobody ever named it. */
export async function findHostId(reader: Reader, host: SellerHost): Promise<number | undefined> {
  for (let key = hostKey(host); ; key = nextKey(key)) {
    const row = await reader.selectFrom('hosts').select('name').where('host_id', '=', key).executeTakeFirst()
    if (row === undefined) return undefined
    if (row.name === host) return key
  }
}

/** The numbers of these hosts, new ones created. */
export async function claimHosts(
  writer: Writer,
  dialect: Dialect,
  deltas: Deltas,
  hosts: Iterable<SellerHost>,
): Promise<Map<SellerHost, number>> {
  const found = new Map<SellerHost, number>()
  let pending = [...new Set(hosts)].map((name) => ({ name, key: hostKey(name) }))
  while (pending.length > 0) {
    pending.sort((a, b) => a.key - b.key)
    const rows = pending.map(({ name, key }): Row => [key, name])
    const taken = await sql<{ host_id: number; name: string }>`select h.host_id, h.name
      from ${dialect.rows({ host_id: 'int', name: 'text' }, rows)} as v
      cross join hosts as h where h.host_id = v.host_id`.execute(writer)
    const nameOf = new Map(taken.rows.map((row) => [row.host_id, row.name]))
    const free = firstPerKey(pending.filter(({ key }) => !nameOf.has(key)))
    const created = await insertHosts(writer, dialect, free)
    for (const [key, name] of created) {
      deltas.touch(key)
      deltas.words.addName(key, name)
      nameOf.set(key, name)
    }
    pending = pending.flatMap(({ name, key }) => {
      const owner = nameOf.get(key)
      if (owner === name) found.set(name, key)
      // No owner seen: another program took the number between the two statements; look again.
      return owner === name ? [] : [{ name, key: owner === undefined ? key : nextKey(key) }]
    })
  }
  return found
}

const firstPerKey = <T extends { key: number }>(items: readonly T[]): T[] => [
  ...new Map(items.map((item) => [item.key, item])).values(),
]

async function insertHosts(
  writer: Writer,
  dialect: Dialect,
  hosts: readonly { name: string; key: number }[],
): Promise<Map<number, string>> {
  if (hosts.length === 0) return new Map()
  const rows = hosts.map(({ name, key }): Row => [key, name])
  const inserted = await sql<{ host_id: number; name: string }>`insert into hosts (host_id, name)
    select host_id, name from ${dialect.rows({ host_id: 'int', name: 'text' }, rows)} as v where true
    on conflict (host_id) do nothing returning host_id, name`.execute(writer)
  return new Map(inserted.rows.map((row) => [row.host_id, row.name]))
}

export type { RouteId }

export interface ClaimedRoutes {
  /** The number of one of the routes that were claimed: of that very object. */
  idOf(ref: RouteRef): RouteId
  /** Nobody had named them before. They have no state yet. */
  readonly created: readonly RouteId[]
  isCreated(route: RouteId): boolean
}

interface Claim {
  readonly refs: RouteRef[]
  readonly ref: RouteRef
  readonly hostId: number
  readonly key: number
}

/** The numbers of these routes, new ones created and counted. Those whose numbers are known are not looked at. */
export async function claimRoutes(
  writer: Writer,
  dialect: Dialect,
  deltas: Deltas,
  hostIds: ReadonlyMap<SellerHost, number>,
  routes: readonly RouteRef[],
): Promise<ClaimedRoutes> {
  const ids = new Map<RouteRef, RouteId>()
  const created = new Map<string, RouteId>()
  let pending = distinct(routes, hostIds)
  while (pending.length > 0) {
    pending.sort((a, b) => a.hostId - b.hostId || a.key - b.key)
    const others = await notYetTheirs(writer, dialect, pending)
    const free = new Map(others.filter(({ isFree }) => isFree).map(({ claim }) => [at(claim), claim]))
    const inserted = await insertRoutes(writer, dialect, [...free.values()])
    // Those that are pending still get another number below.
    for (const { refs, hostId, key } of pending) for (const ref of refs) ids.set(ref, { hostId, routeId: key })
    pending = others.flatMap(({ claim, isFree }) => {
      const place = at(claim)
      if (inserted.has(place) && free.get(place) === claim) {
        created.set(place, { hostId: claim.hostId, routeId: claim.key })
        deltas.add(claim.hostId, 'routes', 1)
        deltas.words.addPath(claim.hostId, claim.ref.path)
        deltas.words.addRail(claim.hostId, claim.ref.rail)
        return []
      }
      // Free and yet not inserted: somebody else took the number between the two statements; look again.
      const isTaken = !isFree || inserted.has(place)
      return [isTaken ? { ...claim, key: nextKey(claim.key) } : claim]
    })
  }
  return {
    idOf: (ref) => {
      const id = ref.at ?? ids.get(ref)
      if (id === undefined) throw new Error('a route of the batch was not claimed')
      return id
    },
    created: [...created.values()],
    isCreated: ({ hostId, routeId }) => created.size > 0 && created.has(at({ hostId, key: routeId })),
  }
}

function distinct(routes: readonly RouteRef[], hostIds: ReadonlyMap<SellerHost, number>): Claim[] {
  const claims = new Map<string, Claim>()
  for (const ref of routes) {
    if (ref.at !== undefined) continue
    const text = `${ref.host}\n${ref.scheme}\n${ref.method}\n${ref.rail}\n${ref.path}`
    const known = claims.get(text)
    if (known === undefined) {
      claims.set(text, { refs: [ref], ref, hostId: hostIds.get(ref.host) ?? -1, key: routeKey(ref) })
    } else known.refs.push(ref)
  }
  return [...claims.values()]
}

const at = ({ hostId, key }: Pick<Claim, 'hostId' | 'key'>): string => `${hostId}/${key}`

const ROUTE = { host_id: 'int', route_id: 'int', scheme: 'text', method: 'text', path: 'text', rail: 'text' } as const

const routeRow = ({ ref, hostId, key }: Claim): Row => [hostId, key, ref.scheme, ref.method, ref.path, ref.rail]

/** Those whose number is free or another route's. Mostly none: nothing is read of routes that are there. */
async function notYetTheirs(
  writer: Writer,
  dialect: Dialect,
  claims: readonly Claim[],
): Promise<{ readonly claim: Claim; readonly isFree: boolean }[]> {
  const rows = claims.map((claim, index): Row => [...routeRow(claim), index])
  const found = await sql<{ place: number; owner: number | null }>`select v.place, r.route_id as owner
    from ${dialect.rows({ ...ROUTE, place: 'int' }, rows)} as v
    left join routes as r on r.host_id = v.host_id and r.route_id = v.route_id
    where r.route_id is null or r.path <> v.path or r.method <> v.method or r.rail <> v.rail
      or r.scheme <> v.scheme`.execute(writer)
  return found.rows.flatMap(({ place, owner }) => {
    const claim = claims[place]
    return claim === undefined ? [] : [{ claim, isFree: owner === null }]
  })
}

/** Answers the places that were still free. SQLite has one writer: what was free a moment ago still is. */
async function insertRoutes(writer: Writer, dialect: Dialect, claims: readonly Claim[]): Promise<Set<string>> {
  if (claims.length === 0) return new Set()
  const insert = sql`insert into routes (host_id, route_id, scheme, method, path, rail)
    select host_id, route_id, scheme, method, path, rail
    from ${dialect.rows(ROUTE, claims.map(routeRow))} as v where true
    on conflict (host_id, route_id) do nothing`
  if (dialect.engine === 'sqlite') {
    await insert.execute(writer)
    return new Set(claims.map(at))
  }
  const inserted = await sql<{ host_id: number; route_id: number }>`${insert} returning host_id, route_id`.execute(
    writer,
  )
  return new Set(inserted.rows.map((row) => at({ hostId: row.host_id, key: row.route_id })))
}
