import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listing, NOON_US } from '../testing/sample-views.ts'
import { priceSteps } from './price-steps.ts'

describe('the chart of listed prices', () => {
  it('steps from one price of a source to its next, and keeps sources apart', () => {
    const rows = [
      listing({ source: 'b', price: 20_000, firstUs: 0, lastUs: 500 }),
      listing({ source: 'a', price: 10_000, firstUs: 500, lastUs: 1000 }),
      listing({ source: 'b', price: 5000, firstUs: 600, lastUs: 1000 }),
      listing({ source: 'b', price: null, firstUs: 0, lastUs: 9000 }),
    ]
    expect(priceSteps(rows)).toEqual({
      width: 1000,
      height: 160,
      fromUs: 0,
      toUs: 1000,
      highest: 20_000,
      series: [
        { source: 'a', d: 'M500 80H1000' },
        { source: 'b', d: 'M0 3H500H600V119H1000' },
      ],
    })
  })

  it('draws prices of one source that were seen at the same time as lines of their own', () => {
    const rows = [listing({ price: 1, firstUs: 0, lastUs: 10 }), listing({ price: 2, firstUs: 0, lastUs: 10 })]
    expect(priceSteps(rows)?.series[0]?.d.match(/M/g)).toHaveLength(2)
  })

  it('is nothing without a price', () => {
    expect(priceSteps([listing({ price: null })])).toBeNull()
    expect(priceSteps([])).toBeNull()
  })

  it('stays inside its box whatever was listed', () => {
    const row = fc
      .record({
        price: fc.option(fc.nat(1e9)),
        firstUs: fc.nat(1e6),
        long: fc.nat(1e6),
        source: fc.constantFrom('a', 'b', 'c'),
      })
      .map(({ price, firstUs, long, source }) =>
        listing({ source, price, firstUs: NOON_US + firstUs, lastUs: NOON_US + firstUs + long }),
      )
    fc.assert(
      fc.property(fc.array(row, { maxLength: 12 }), (rows) => {
        for (const { d } of priceSteps(rows)?.series ?? []) {
          expect(d).toMatch(/^(M\d+ \d+H\d+(H\d+V\d+H\d+)*)+$/)
          const across = Array.from(d.matchAll(/[MH](\d+)/g), ([, x]) => Number(x))
          const down = Array.from(d.matchAll(/(?: |V)(\d+)/g), ([, y]) => Number(y))
          expect(Math.max(...across)).toBeLessThanOrEqual(1002)
          expect(Math.min(...down)).toBeGreaterThanOrEqual(0)
          expect(Math.max(...down)).toBeLessThanOrEqual(160)
        }
      }),
    )
  })
})
