import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RateLimiter } from './limits.ts'
import { LimitsSoFar, SharedLimits, type Taken } from './shared-limits.ts'

const RATE = { count: 5, windowMs: 60_000 }

/** Processes that hear each other when `tell` is called, as over a channel. */
function crew(size: number, nowMs: () => number) {
  const soFar = new LimitsSoFar(nowMs)
  const all: { limiter: RateLimiter; shared: SharedLimits; said: Taken[] }[] = []
  const join = () => {
    const said: Taken[] = []
    const shared = new SharedLimits(() => undefined)
    shared.hear(soFar.all())
    const limiter = new RateLimiter('reads', RATE, nowMs)
    shared.join('reads', limiter)
    limiter.tell((key, leftMs) => said.push({ limit: 'reads', key, n: 1, leftMs }))
    all.push({ limiter, shared, said })
  }
  for (let n = 0; n < size; n += 1) join()
  const tell = (): void => {
    for (const one of all) {
      const said = one.said.splice(0)
      soFar.add(said)
      for (const other of all) if (other !== one) other.shared.hear(said)
    }
  }
  return { all, join, tell }
}

describe('limits that processes keep together', () => {
  it('count as one would, whichever of them is asked, once they have heard each other', () => {
    const asks = fc.array(fc.tuple(fc.nat(2), fc.constantFrom('a', 'b'), fc.integer({ min: 0, max: 20_000 })))
    fc.assert(
      fc.property(asks, (list) => {
        let nowMs = 0
        const { all, tell } = crew(3, () => nowMs)
        const alone = new RateLimiter('reads', RATE, () => nowMs)
        for (const [which, key, waitMs] of list) {
          nowMs += waitMs
          const taken = all[which]?.limiter.take(key)
          expect(taken).toEqual(alone.take(key))
          tell()
        }
      }),
    )
  })

  it('are known to one that joins later, as far as their windows are open', () => {
    let nowMs = 0
    const { all, join, tell } = crew(2, () => nowMs)
    for (let n = 0; n < 5; n += 1) all[n % 2]?.limiter.take('a')
    tell()
    nowMs = 30_000
    join()
    const [, , late] = all
    const budget = late?.limiter.take('a')
    expect(budget).toEqual({ used: 6, endsMs: 60_000 })
    tell()
    nowMs = 60_000
    expect(late?.limiter.take('a').used).toBe(1)
  })

  it('are told together, a moment after they were counted', async () => {
    const told: (readonly Taken[])[] = []
    const shared = new SharedLimits((taken) => told.push(taken))
    const limiter = new RateLimiter('reads', RATE, () => 0)
    shared.join('reads', limiter)
    for (const key of ['a', 'b', 'a']) limiter.take(key)
    await expect.poll(() => told.length).toBe(1)
    expect(told[0]?.map(({ key, n }) => [key, n])).toEqual([
      ['a', 2],
      ['b', 1],
    ])
  })
})
