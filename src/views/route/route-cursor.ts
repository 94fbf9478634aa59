import type { RouteKey } from '../../domain/route.ts'
import type { RoutePosition } from '../../store/pages/read-routes.ts'
import { encodeCursor } from '../../wire/cursor.ts'

/** What cursors of a host's routes are called. */
export const ROUTES = 'routes'

export const routePosition = ({ path, method, rail, scheme }: RouteKey): RoutePosition => [path, method, rail, scheme]

/** Continues a host's routes after this one. */
export const routeCursor = (route: RouteKey): string => encodeCursor(ROUTES, routePosition(route))
