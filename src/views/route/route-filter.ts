import type { Method } from '../../domain/route.ts'

/** Which of a host's routes are shown. */
export interface RouteFilter {
  /** Part of the path, upper or lower case. */
  readonly q: string | null
  readonly method: Method | null
}
