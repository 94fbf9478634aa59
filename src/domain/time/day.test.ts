import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_US, dayOf, formatDay } from './day.ts'
import { formatTimestamp, LATEST_US } from './timestamp.ts'

describe('a day', () => {
  it('is printed as the date of every moment in it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: LATEST_US }), (us) => {
        expect(formatDay(dayOf(us))).toBe(formatTimestamp(us).slice(0, 10))
      }),
    )
  })

  it('ends a microsecond before the next one begins', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 84_000 }), (day) => {
        expect([dayOf(day * DAY_US), dayOf((day + 1) * DAY_US - 1), dayOf((day + 1) * DAY_US)]).toEqual([
          day,
          day,
          day + 1,
        ])
      }),
    )
  })
})
