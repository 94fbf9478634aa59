import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDuration } from './duration.ts'

describe('a duration', () => {
  it('is a whole number and a unit', () => {
    expect(['90s', '15m', '6h', '1d'].map(parseDuration)).toEqual([90_000, 900_000, 21_600_000, 86_400_000])
  })

  it('is nothing else', () => {
    for (const text of ['', '0s', '1', 'h', '1.5h', '-1h', '1 h', '1H', '400d', '1e3s']) {
      expect(parseDuration(text)).toBeUndefined()
    }
  })

  it('is never zero, negative or over a year', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const ms = parseDuration(text)
        expect(ms === undefined || (ms > 0 && ms <= 366 * 86_400_000)).toBe(true)
      }),
    )
  })
})
