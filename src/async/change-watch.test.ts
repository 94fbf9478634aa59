import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { ChangeWatch } from './change-watch.ts'

/** Whoever has the count of a moment has seen every change up to a second before it. */
it('A count never stands for longer than it may after a change, whatever looks take.', async () => {
  vi.useFakeTimers()
  const step = fc.record({
    waitMs: fc.integer({ min: 0, max: 2000 }),
    changes: fc.boolean(),
    takesMs: fc.integer({ min: 0, max: 1500 }),
    fails: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      let [now, state, takesMs, fails] = [0, 0, 0, false]
      const changedAt: number[] = []
      const look = async (): Promise<string> => {
        const seen = String(state)
        const failing = fails
        await new Promise((resolve) => setTimeout(resolve, takesMs))
        if (failing) throw new Error('away')
        return seen
      }
      const watch = new ChangeWatch(look, () => now)
      const asked: { atMs: number; count: number }[] = []
      for (const one of steps) {
        takesMs = one.takesMs
        fails = one.fails
        for (let left = one.waitMs; left > 0; left -= 50) {
          now += Math.min(left, 50)
          await vi.advanceTimersByTimeAsync(Math.min(left, 50))
        }
        if (one.changes) {
          state += 1
          changedAt.push(now)
        }
        asked.push({ atMs: now, count: watch.changes() })
      }
      watch.close()
      for (const atMs of changedAt) {
        const before = asked.findLast((one) => one.atMs < atMs)
        for (const after of asked) {
          if (before && after.atMs > atMs + 1000) expect(after.count).toBeGreaterThan(before.count)
        }
      }
    }),
    { numRuns: 60 },
  )
  vi.useRealTimers()
})

it('Nothing is counted while nothing changes and looks answer.', async () => {
  vi.useFakeTimers()
  let now = 0
  const watch = new ChangeWatch(
    async () => 'the same',
    () => now,
  )
  const counts = new Set<number>()
  for (let n = 0; n < 100; n += 1) {
    now += 100
    await vi.advanceTimersByTimeAsync(100)
    if (n > 10 && n % 20 < 10) counts.add(watch.changes())
    else if (n <= 10) watch.changes()
  }
  watch.close()
  vi.useRealTimers()
  expect(counts.size).toBe(1)
})
