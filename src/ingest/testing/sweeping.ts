import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Fetch } from '../sweep/fetch.ts'
import type { KnownSeller } from '../sweep/seller.ts'
import type { Sweeping } from '../sweep/sweep.ts'
import { callsWith } from './manners.ts'
import type { MemoryStore } from './memory-store.ts'

const START_US: TimestampUs = Date.UTC(2026, 10, 14) * 1000

export interface TestSweeping extends Sweeping {
  /** Every wait that was asked for, in milliseconds. */
  readonly slept: number[]
  /** Moves the clock. */
  pass(ms: number): void
}

async function* list<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values
}

/** A sweep's surroundings for tests: the clock moves by a millisecond a look and by every wait, and nothing waits. */
export function sweepingWith(store: MemoryStore, fetch: Fetch, more: Partial<Sweeping> = {}): TestSweeping {
  let nowUs = START_US
  const slept: number[] = []
  const pass = (ms: number): void => {
    nowUs += ms * 1000
  }
  return {
    store,
    fetch,
    allow: [],
    calls: callsWith({ gapMs: 1_000 }),
    now: () => {
      nowUs += 1000
      return nowUs
    },
    sleep: async (ms) => {
      slept.push(ms)
      pass(ms)
    },
    random: () => 0.5,
    sellers: () => list([]),
    openLines: () => list([]),
    slept,
    pass,
    ...more,
  }
}

/** Sellers in the order of their names, as a store gives them. */
export const sellersOf =
  (...hosts: readonly string[]): Sweeping['sellers'] =>
  (after) =>
    list(hosts.filter((host) => host > after).map((host): KnownSeller => ({ scheme: 'https', host })))

export const linesOf =
  (...lines: readonly string[]): Sweeping['openLines'] =>
  () =>
    list(lines)
