import { isServed, type PaidCalls, paidCallsLine, reportedCalls } from '../../../domain/buyers/outcome.ts'
import { countsOutcome, LEVELS, type ReviewStanding, type SupportLevel } from '../../../domain/review.ts'
import { isShown, listIn, only, type Shown, shownIn } from '../shown.ts'
import { States } from '../states.ts'

/** Paid calls by level, as they are shown. */
export type ToldCalls = readonly unknown[]

const TOLD = ['level', 'reported', 'served', 'not_served', 'line']
const NO_CALLS: PaidCalls = { served: 0, notServed: 0 }

/** Those of a host or of a route; nothing where nobody reported one. */
export const callsIn = (shown: Shown): ToldCalls =>
  listIn(shownIn(shown, 'paid_calls'), 'by_level').map((calls) => only(calls, TOLD))

/** Paid calls that reviews report, of a host and of each of its routes, as the log alone gives them. */
export class ReplayedCalls {
  readonly #host = new Calls()
  readonly #routes = new Map<string, { readonly calls: Calls; readonly told: States<ToldCalls> }>()

  /** A review stands otherwise than before, which is `null` of a new one. */
  stands(
    { route, outcome }: { readonly route: string; readonly outcome: unknown },
    standings: { readonly before: ReviewStanding | null; readonly after: ReviewStanding },
    isLate: boolean,
  ): void {
    if (!isShown(outcome)) return
    const served = isServed({ httpStatus: typeof outcome.http_status === 'number' ? outcome.http_status : null })
    const known = this.#routes.get(route) ?? { calls: new Calls(), told: new States<ToldCalls>([]) }
    this.#routes.set(route, known)
    for (const calls of [this.#host, known.calls]) {
      if (standings.before !== null) calls.add(standings.before, served, -1)
      calls.add(standings.after, served, 1)
    }
    known.told.add(known.calls.told, isLate)
  }

  get host(): ToldCalls {
    return this.#host.told
  }

  /** Everything that may be shown of a route. */
  of(route: string): readonly ToldCalls[] {
    return this.#routes.get(route)?.told.all ?? [[]]
  }
}

class Calls {
  readonly #levels = new Map<SupportLevel, PaidCalls>()

  add(standing: ReviewStanding, isServedCall: boolean, n: 1 | -1): void {
    if (!countsOutcome(standing)) return
    const { served, notServed } = this.#levels.get(standing.level) ?? NO_CALLS
    this.#levels.set(
      standing.level,
      isServedCall ? { served: served + n, notServed } : { served, notServed: notServed + n },
    )
  }

  get told(): ToldCalls {
    return LEVELS.flatMap((level) => {
      const calls = this.#levels.get(level) ?? NO_CALLS
      const reported = reportedCalls(calls)
      const line = paidCallsLine(level, calls)
      return reported === 0 ? [] : [{ level, reported, served: calls.served, not_served: calls.notServed, line }]
    })
  }
}
