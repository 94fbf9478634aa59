import { sql } from 'kysely'
import type { SellerHost } from '../../domain/host.ts'
import { nextKey, routeKey } from '../../domain/keys.ts'
import type { Writer } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { RowsStatement } from '../sql/rows-statement.ts'
import { refText } from './known-numbers.ts'
import { type RouteId, type RouteRef, routeText } from './route-ref.ts'

export interface ClaimedRoutes {
  /** The number of one of the routes that were claimed: of that very object. */
  idOf(ref: RouteRef): RouteId
  /** By `routeText`: nobody had named them before. They have no state yet. */
  readonly created: ReadonlyMap<string, CreatedRoute>
  /** By `refText`: those that were looked up or created. */
  readonly found: ReadonlyMap<string, RouteId>
}

export interface CreatedRoute extends RouteId, Pick<RouteRef, 'path' | 'rail'> {}

export const NO_ROUTES: ClaimedRoutes = { idOf: idAmong(new Map()), created: new Map(), found: new Map() }

interface Claim extends RouteId {
  readonly text: string
  readonly refs: RouteRef[]
  readonly ref: RouteRef
}

/** The numbers of these routes, new ones created. Those whose numbers are known are not looked at. */
export async function claimRoutes(
  writer: Writer,
  dialect: Dialect,
  hostIds: ReadonlyMap<SellerHost, number>,
  routes: readonly RouteRef[],
  known: ReadonlyMap<string, RouteId>,
): Promise<ClaimedRoutes> {
  const ids = new Map<RouteRef, RouteId>()
  const created = new Map<string, CreatedRoute>()
  const found = new Map<string, RouteId>()
  let pending = distinct(routes, hostIds, known, ids)
  while (pending.length > 0) {
    pending.sort((a, b) => a.hostId - b.hostId || a.routeId - b.routeId)
    const others = await notYetTheirs(writer, dialect, pending)
    const free = new Map(others.filter(({ isFree }) => isFree).map(({ claim }) => [routeText(claim), claim]))
    const inserted = await insertRoutes(writer, dialect, [...free.values()])
    // Those that are pending still get another number below.
    for (const { text, refs, hostId, routeId } of pending) {
      const id = { hostId, routeId }
      found.set(text, id)
      for (const ref of refs) ids.set(ref, id)
    }
    pending = others.flatMap(({ claim, isFree }) => {
      const place = routeText(claim)
      if (inserted.has(place) && free.get(place) === claim) {
        const { hostId, routeId, ref } = claim
        created.set(place, { hostId, routeId, path: ref.path, rail: ref.rail })
        return []
      }
      // Free and yet not inserted: somebody else took the number between the two statements; look again.
      const isTaken = !isFree || inserted.has(place)
      return [isTaken ? { ...claim, routeId: nextKey(claim.routeId) } : claim]
    })
  }
  return { idOf: idAmong(ids), created, found }
}

function idAmong(ids: ReadonlyMap<RouteRef, RouteId>): ClaimedRoutes['idOf'] {
  return (ref) => {
    const id = ref.at ?? ids.get(ref)
    if (id === undefined) throw new Error('a route of the batch was not claimed')
    return id
  }
}

/** Those whose numbers are to be found; the others get theirs. */
function distinct(
  routes: readonly RouteRef[],
  hostIds: ReadonlyMap<SellerHost, number>,
  known: ReadonlyMap<string, RouteId>,
  ids: Map<RouteRef, RouteId>,
): Claim[] {
  const claims = new Map<string, Claim>()
  let last: RouteRef | undefined
  let text = ''
  for (const ref of routes) {
    if (ref.at !== undefined) continue
    // What is said of one route mostly follows each other.
    if (last === undefined || !isSameRoute(last, ref)) text = refText(ref)
    last = ref
    const id = known.get(text)
    const claim = claims.get(text)
    if (id !== undefined) ids.set(ref, id)
    else if (claim !== undefined) claim.refs.push(ref)
    else claims.set(text, { text, refs: [ref], ref, hostId: hostIds.get(ref.host) ?? -1, routeId: routeKey(ref) })
  }
  return [...claims.values()]
}

const isSameRoute = (a: RouteRef, b: RouteRef): boolean =>
  a.path === b.path && a.host === b.host && a.method === b.method && a.rail === b.rail && a.scheme === b.scheme

const ROUTE = { host_id: 'int', route_id: 'int', scheme: 'text', method: 'text', path: 'text', rail: 'text' } as const

const routeRow = ({ ref, hostId, routeId }: Claim): Row => [hostId, routeId, ref.scheme, ref.method, ref.path, ref.rail]

const FIND_OTHERS = new RowsStatement(
  (dialect, rows) => sql<{ place: number; owner: number | null }>`select v.place, r.route_id as owner
    from ${dialect.hostRows({ ...ROUTE, place: 'int' }, rows)} as v
    left join routes as r on r.host_id = v.host_id and r.route_id = v.route_id
    where r.route_id is null or r.path <> v.path or r.method <> v.method or r.rail <> v.rail
      or r.scheme <> v.scheme`,
)

/** Those whose number is free or another route's. Mostly none: nothing is read of routes that are there. */
async function notYetTheirs(
  writer: Writer,
  dialect: Dialect,
  claims: readonly Claim[],
): Promise<{ readonly claim: Claim; readonly isFree: boolean }[]> {
  const rows = claims.map((claim, index): Row => [...routeRow(claim), index])
  const found = await FIND_OTHERS.run(writer, dialect, rows)
  return found.flatMap(({ place, owner }) => {
    const claim = claims[place]
    return claim === undefined ? [] : [{ claim, isFree: owner === null }]
  })
}

/** Answers the places that were still free, by `routeText`. */
async function insertRoutes(writer: Writer, dialect: Dialect, claims: readonly Claim[]): Promise<Set<string>> {
  if (claims.length === 0) return new Set()
  const insert = sql`insert into routes (host_id, route_id, scheme, method, path, rail)
    select host_id, route_id, scheme, method, path, rail
    from ${dialect.hostRows(ROUTE, claims.map(routeRow))} as v where true
    on conflict (host_id, route_id) do nothing`
  const keys = claims.map(({ hostId, routeId }) => ({ host_id: hostId, route_id: routeId }))
  const inserted = await dialect.insertFree(writer, insert, keys)
  return new Set(inserted.map((row) => routeText({ hostId: row.host_id, routeId: row.route_id })))
}
