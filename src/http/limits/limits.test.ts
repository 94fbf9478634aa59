import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RateLimiter } from './limits.ts'

describe('a rate limiter', () => {
  it('allows so many in a window, says what is left, and starts afresh', () => {
    let nowMs = 5000
    const limiter = new RateLimiter('reads', { count: 2, windowMs: 60_000 }, () => nowMs)
    expect(limiter.policy).toBe('"reads";q=2;w=60')
    const first = limiter.take('a')
    expect([limiter.allows(first), limiter.state(first)]).toEqual([true, '"reads";r=1;t=60'])
    expect(limiter.allows(limiter.take('a'))).toBe(true)
    nowMs += 20_500
    const third = limiter.take('a')
    expect([limiter.allows(third), limiter.state(third)]).toEqual([false, '"reads";r=0;t=40'])
    expect(limiter.allows(limiter.take('b'))).toBe(true)
    nowMs += 39_500
    expect(limiter.allows(limiter.take('a'))).toBe(true)
  })

  it('never holds more keys than it may', () => {
    const limiter = new RateLimiter('reads', { count: 1, windowMs: 1000 }, () => 0, 3)
    for (let key = 0; key < 100; key += 1) limiter.take(String(key))
    expect(limiter.size).toBe(3)
    expect(limiter.allows(limiter.take('99'))).toBe(false)
    expect(limiter.allows(limiter.take('0'))).toBe(true)
  })

  it('never allows more than its count within any one window, in whatever order keys and times come', () => {
    const steps = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 40 })))
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 5 }), (list, count) => {
        let nowMs = 0
        const limiter = new RateLimiter('reads', { count, windowMs: 100 }, () => nowMs)
        const windows = new Map<string, number>()
        for (const [key, waitMs] of list) {
          nowMs += waitMs
          const budget = limiter.take(key)
          const window = `${key} ${budget.endsMs}`
          if (limiter.allows(budget)) windows.set(window, (windows.get(window) ?? 0) + 1)
        }
        expect([...windows.values()].every((allowed) => allowed <= count)).toBe(true)
      }),
    )
  })
})
