import { askedFor, type Challenge, type Listed } from '../challenge.ts'
import type { TimestampUs } from '../time/timestamp.ts'
import { type Now, resultOf } from './now.ts'
import type { Run } from './run.ts'
import { bestSight, type Sight } from './sights.ts'

/** What is known of a route's entries. */
export interface SeenRoute {
  readonly run: Run
  /** Nothing where no vantage is named. */
  readonly sights: readonly Sight[]
  readonly newestUs: TimestampUs
  /** The newest challenge that could be read. */
  readonly live: { readonly challenge: Challenge; readonly atUs: TimestampUs } | null
}

/** What is true of a route now. */
export function nowOf({ run, sights, newestUs, live }: SeenRoute, listed: Listed): Now {
  const best = sights.length === 0 ? undefined : bestSight(sights)
  const seenUs = best?.atUs ?? newestUs
  // Whoever sees no payment requested has looked with all the others; only one of them need have seen it requested.
  const checkedUs = resultOf(run) === '402-correct' ? seenUs : newestUs
  const isOfNewest = live !== null && live.atUs === seenUs
  const asked = isOfNewest ? askedFor(live.challenge, listed) : null
  const { httpStatus, sinceUs, last402Us } = run
  return { httpStatus, sinceUs, last402Us, checkedUs, asked, shield: best?.shield ?? null, sights }
}
