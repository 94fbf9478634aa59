import { sql } from 'kysely'
import type { SellerHost } from '../domain/host.ts'
import { hostKey, nextKey, routeKey } from '../domain/keys.ts'
import type { RouteKey } from '../domain/route.ts'
import type { Deltas } from './deltas.ts'
import type { Dialect, Row } from './dialect.ts'
import type { RouteRef } from './evidence.ts'
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

/** A route's two numbers. */
export interface RouteId {
  readonly hostId: number
  readonly routeId: number
}

/** One text per route, for maps. */
export const routeText = (ref: RouteRef): string => `${ref.host}\n${identity(ref)}`
const identity = (key: RouteKey): string => `${key.scheme}\n${key.method}\n${key.rail}\n${key.path}`

/** The numbers of these routes by `routeText`, new ones created and counted. */
export async function claimRoutes(
  writer: Writer,
  dialect: Dialect,
  deltas: Deltas,
  hostIds: ReadonlyMap<SellerHost, number>,
  routes: Iterable<RouteRef>,
): Promise<Map<string, RouteId>> {
  const found = new Map<string, RouteId>()
  const wanted = new Map<string, RouteRef>()
  for (const ref of routes) wanted.set(routeText(ref), ref)
  let pending = [...wanted].map(([text, ref]) => ({
    text,
    ref,
    hostId: hostIds.get(ref.host) ?? -1,
    key: routeKey(ref),
  }))
  while (pending.length > 0) {
    pending.sort((a, b) => a.hostId - b.hostId || a.key - b.key)
    const taken = await sql<StoredRoute>`select r.host_id, r.route_id, r.scheme, r.method, r.path, r.rail
      from ${dialect.rows(
        { host_id: 'int', route_id: 'int' },
        pending.map((item): Row => [item.hostId, item.key]),
      )} as v
      cross join routes as r where r.host_id = v.host_id and r.route_id = v.route_id`.execute(writer)
    const ownerOf = new Map(taken.rows.map((row) => [at(row.host_id, row.route_id), storedIdentity(row)]))
    const free = new Map(
      pending
        .filter((item) => !ownerOf.has(at(item.hostId, item.key)))
        .map((item) => [at(item.hostId, item.key), item]),
    )
    for (const row of await insertRoutes(writer, dialect, [...free.values()])) {
      ownerOf.set(at(row.host_id, row.route_id), storedIdentity(row))
      deltas.add(row.host_id, 'routes', 1)
      deltas.words.addPath(row.host_id, row.path)
    }
    pending = pending.flatMap((item) => {
      const owner = ownerOf.get(at(item.hostId, item.key))
      if (owner === identity(item.ref)) {
        found.set(item.text, { hostId: item.hostId, routeId: item.key })
        return []
      }
      return [owner === undefined ? item : { ...item, key: nextKey(item.key) }]
    })
  }
  return found
}

interface StoredRoute {
  host_id: number
  route_id: number
  scheme: string
  method: string
  path: string
  rail: string
}

const at = (hostId: number, routeId: number): string => `${hostId}/${routeId}`
const storedIdentity = (row: StoredRoute): string => `${row.scheme}\n${row.method}\n${row.rail}\n${row.path}`

async function insertRoutes(
  writer: Writer,
  dialect: Dialect,
  items: readonly { ref: RouteRef; hostId: number; key: number }[],
): Promise<StoredRoute[]> {
  if (items.length === 0) return []
  const columns = {
    host_id: 'int',
    route_id: 'int',
    scheme: 'text',
    method: 'text',
    path: 'text',
    rail: 'text',
  } as const
  const rows = items.map(({ ref, hostId, key }): Row => [hostId, key, ref.scheme, ref.method, ref.path, ref.rail])
  const inserted = await sql<StoredRoute>`insert into routes (host_id, route_id, scheme, method, path, rail)
    select host_id, route_id, scheme, method, path, rail from ${dialect.rows(columns, rows)} as v where true
    on conflict (host_id, route_id) do nothing
    returning host_id, route_id, scheme, method, path, rail`.execute(writer)
  await sql`insert into route_state (host_id, route_id, probe_status, probes, reviews)
    select host_id, route_id, 'unverified', 0, 0
    from ${dialect.rows(
      { host_id: 'int', route_id: 'int' },
      inserted.rows.map((row): Row => [row.host_id, row.route_id]),
    )} as v
    where true on conflict (host_id, route_id) do nothing`.execute(writer)
  return inserted.rows
}
