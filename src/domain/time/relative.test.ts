import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { agoStandsForMs, formatAgo } from './relative.ts'

const MINUTE_US = 60_000_000
const NOW_US = Date.UTC(2026, 10, 14, 12) * 1000

describe('how long ago', () => {
  it.each([
    [-5, 'just now'],
    [0.9, 'just now'],
    [3.5, '3 min ago'],
    [59.9, '59 min ago'],
    [60, '1 h ago'],
    [47 * 60, '47 h ago'],
    [48 * 60, '2 days ago'],
    [60 * 24 * 60, '60 days ago'],
    [95 * 24 * 60, '3 months ago'],
  ])('%d minutes ago is %s', (minutes, words) => {
    expect(formatAgo(NOW_US - minutes * MINUTE_US, NOW_US)).toBe(words)
  })

  it('is never more than it is, and names a unit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: NOW_US }), (us) => {
        const text = formatAgo(us, NOW_US)
        expect(text).toMatch(/^(just now|\d+ (min|h|days|months) ago)$/)
        const unit = { min: 1, h: 60, days: 1440, months: (365.25 / 12) * 1440 }
        const [, n, name] = /^(\d+) (min|h|days|months)/.exec(text) ?? []
        const minutes = (NOW_US - us) / MINUTE_US
        if (name === 'min' || name === 'h' || name === 'days' || name === 'months')
          expect(Number(n) * unit[name]).toBeLessThanOrEqual(minutes)
      }),
    )
  })

  it('stands for a minute while something is an hour young, else for an hour', () => {
    expect(agoStandsForMs([NOW_US - 59 * MINUTE_US, null], NOW_US)).toBe(60_000)
    expect(agoStandsForMs([NOW_US - 61 * MINUTE_US, null], NOW_US)).toBe(3_600_000)
    expect(agoStandsForMs([], NOW_US)).toBe(3_600_000)
  })
})
