import type { Store } from '../../store/store.ts'
import type { Ingesting } from '../ingester.ts'
import type { Fetch } from '../sweep/fetch.ts'
import { callsWith } from './manners.ts'

export interface TestIngesting extends Ingesting {
  /** Moves the clock. */
  later(us: number): void
}

/** What an ingester stands in for tests: the clock moves by a microsecond a look, and nothing waits. */
export function ingestingWith(store: Store, fetch: Fetch, startUs: number): TestIngesting {
  let nowUs = startUs
  return {
    store,
    fetch,
    openLines: async function* () {},
    allow: [],
    calls: callsWith(),
    intervals: { usualMs: 3_600_000, ofSource: new Map() },
    by: 'this',
    now: () => nowUs++,
    sleep: async () => undefined,
    random: () => 0.5,
    later: (us) => {
      nowUs += us
    },
  }
}
