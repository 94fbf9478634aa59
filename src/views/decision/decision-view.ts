import type { KnownRoute } from '../../domain/guard/known.ts'
import type { SellerHost } from '../../domain/host.ts'
import type { SupportLevel } from '../../domain/review.ts'
import type { RouteKey } from '../../domain/route.ts'
import type { RouteView } from '../host/host-view.ts'
import type { SeenPayee } from '../route/route-view.ts'
import type { ProbeWindow } from '../route/windows.ts'

/** What is known of one route before paying for it. Evidence of three kinds, each apart, and no score. */
export interface DecisionView {
  readonly host: SellerHost
  /** As it was asked for; the listed route may be a template of its path. */
  readonly asked: RouteKey
  /** With its newest entry and its newest listing rows. */
  readonly route: RouteView
  /** Shortest first. */
  readonly windows: readonly ProbeWindow[]
  readonly reviews: {
    /** Strongest level first; those without reviews too. */
    readonly byLevel: readonly LevelRatings[]
    readonly excluded: number
  }
  /** Newest first. */
  readonly payees: readonly SeenPayee[]
  readonly payeesTotal: number
  /** With thousands of payees where there are so many, for whoever compares an offer with them. */
  readonly known: KnownRoute
}

export interface LevelRatings {
  readonly level: SupportLevel
  /** How many counted reviews gave 1, 2, 3, 4 and 5. */
  readonly ratings: readonly number[]
}
