import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { key53 } from '../../domain/keys.ts'
import { earlyLookUs, nextDueUs, phaseUs } from './due.ts'

const HOUR_US = 3_600_000_000
const INTERVAL_US = 6 * HOUR_US
const key = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
const route = fc.record({ hostId: key, routeId: key })
const time = fc.integer({ min: Date.UTC(2026, 0) * 1000, max: Date.UTC(2100, 0) * 1000 })
const interval = fc.integer({ min: 1_000_000, max: 30 * 24 * HOUR_US })

describe('due times', () => {
  it('come between half and one and a half intervals later, at the same moment of every interval', () => {
    fc.assert(
      fc.property(route, time, interval, (one, atUs, intervalUs) => {
        const due = nextDueUs(one, atUs, intervalUs)
        expect(due - atUs).toBeGreaterThanOrEqual(Math.floor(intervalUs / 2))
        expect(due - atUs).toBeLessThan(Math.floor(intervalUs / 2) + intervalUs)
        expect(due % intervalUs).toBe(phaseUs(one, intervalUs))
        expect(nextDueUs(one, due, intervalUs)).toBe(due + intervalUs)
      }),
    )
  })

  it('spread the routes of a directory, and of one host, evenly over the interval', () => {
    const countsOf = (hostOf: (n: number) => string): number[] => {
      const counts = Array.from({ length: 24 }, () => 0)
      for (let n = 0; n < 24_000; n++) {
        const due = nextDueUs({ hostId: key53(hostOf(n)), routeId: key53(`/v1/${n}`) }, 0, INTERVAL_US)
        const bucket = Math.floor(((due % INTERVAL_US) / INTERVAL_US) * 24)
        counts[bucket] = (counts[bucket] ?? 0) + 1
      }
      return counts
    }
    for (const counts of [countsOf((n) => `h${n % 1000}.example`), countsOf(() => 'one.example')]) {
      expect(Math.min(...counts)).toBeGreaterThan(850)
      expect(Math.max(...counts)).toBeLessThan(1150)
    }
  })

  it('come within a quarter of an hour after a change, and never later than otherwise', () => {
    fc.assert(
      fc.property(route, time, interval, (one, atUs, intervalUs) => {
        const look = earlyLookUs(one, atUs, intervalUs)
        expect(look).toBeGreaterThan(atUs)
        expect(look - atUs).toBeLessThanOrEqual(HOUR_US / 4)
        expect(look).toBeLessThanOrEqual(nextDueUs(one, atUs, intervalUs))
      }),
    )
  })
})
