import { Batches } from '../../async/batches.ts'
import type { Problem } from '../../domain/problem.ts'
import { problem } from '../../domain/problem-kinds.ts'
import { addressOf } from '../../domain/route.ts'
import {
  type FoundPlace,
  type FoundRoute,
  findPlaces,
  type NearRoute,
  nearRoutes,
} from '../../store/hosts/find-route.ts'
import type { RouteId, RouteRef } from '../../store/hosts/route-ref.ts'
import { nearHosts } from '../../store/search/near-hosts.ts'
import type { Store } from '../../store/store.ts'
import type { ReviewBody } from '../../wire/bodies/review-body.ts'
import { unknownHost } from '../../wire/unknown-host.ts'

/** The listed route that a review is about. */
export interface Place extends RouteId {
  readonly route: FoundRoute
}

/** Addresses of one statement. */
const MOST = 256

/** Places that are remembered: a listed route keeps its number and is never taken away. */
const MOST_KNOWN = 2_000

/** Finds the routes of reviews; those that come together are looked for together. One for each store of a program. */
export function createPlaceFinder(store: Store): (body: ReviewBody) => Promise<Place> {
  const lookups = new Batches<RouteRef, FoundPlace>(MOST, (asked) => findPlaces(store.read, store.dialect, asked))
  const listed = new Map<string, Place>()
  return async ({ address, method, rail }) => {
    const text = `${method} ${rail} ${addressOf(address.scheme, address.host, address.path)}`
    const known = listed.get(text)
    if (known) return known
    const { hostId, route } = await lookups.add({ ...address, method, rail })
    if (hostId === undefined) throw unknownHost(address.host, await nearHosts(store, address.host))
    if (route) {
      const place = { hostId, routeId: route.routeId, route }
      // What only a template leads to may be listed itself tomorrow.
      if (route.path === address.path) remember(listed, text, place)
      return place
    }
    throw unknownRoute(
      `No listing source has named ${method} ${address.path || '/'} on ${rail} of ${address.host}.`,
      await nearRoutes(store.read, hostId, address),
    )
  }
}

function remember(listed: Map<string, Place>, text: string, place: Place): void {
  const [oldest] = listed.keys()
  if (oldest !== undefined && listed.size >= MOST_KNOWN) listed.delete(oldest)
  listed.set(text, place)
}

const unknownRoute = (detail: string, near: readonly NearRoute[]): Problem =>
  problem('unknown-route', detail, { more: { near_matches: near } })
