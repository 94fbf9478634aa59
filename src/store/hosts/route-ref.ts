import type { SellerHost } from '../../domain/host.ts'
import type { RouteKey } from '../../domain/route.ts'

/** A route's two numbers in the store. They never change, and no route is ever taken away. */
export interface RouteId {
  readonly hostId: number
  readonly routeId: number
}

/** A route wherever it is: the store finds or creates its host and itself, unless its numbers are known. */
export interface RouteRef extends RouteKey {
  readonly host: SellerHost
  readonly at?: RouteId | undefined
}

/** Something said of a route whose numbers are known by now. */
export type Placed<T> = T & { readonly at: RouteId }

/** One text per route, for maps. */
export const routeText = ({ hostId, routeId }: RouteId): string => `${hostId}/${routeId}`

export const hostIdsOf = (routes: Iterable<RouteId>): Set<number> => new Set(Array.from(routes, ({ hostId }) => hostId))

export const byRouteId = (a: RouteId, b: RouteId): number => a.hostId - b.hostId || a.routeId - b.routeId
