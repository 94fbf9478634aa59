import fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { tally } from './tally.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('tells of the first at once and of those that follow together', () => {
  const told: [number, string][] = []
  const add = tally<string>((count, last) => told.push([count, last]), 1000)
  for (const item of ['a', 'b', 'c']) add(item)
  expect(told).toEqual([[1, 'a']])
  vi.advanceTimersByTime(1000)
  expect(told).toEqual([
    [1, 'a'],
    [2, 'c'],
  ])
  vi.advanceTimersByTime(5000)
  add('d')
  expect(told.at(-1)).toEqual([1, 'd'])
})

it('leaves nothing out, and tells no more often than it may', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 1500 }), { maxLength: 50 }), (pauses) => {
      const told: { count: number; atMs: number }[] = []
      const add = tally<number>((count) => told.push({ count, atMs: Date.now() }), 1000)
      for (const pause of pauses) {
        vi.advanceTimersByTime(pause)
        add(pause)
      }
      vi.advanceTimersByTime(2000)
      expect(told.reduce((sum, { count }) => sum + count, 0)).toBe(pauses.length)
      for (const [n, { atMs }] of told.entries()) {
        if (n > 0) expect(atMs - (told[n - 1]?.atMs ?? 0)).toBeGreaterThanOrEqual(1000)
      }
    }),
  )
})
