import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { leastPriceAt, PRICE_PRECEDES_US, PRICE_STANDS_US } from './least-price.ts'
import type { SeenPrice } from './proof.ts'

const BASE = 'eip155:8453'
const DAY_US = 24 * 3600 * 1_000_000
const NOW = Date.UTC(2026, 10, 14) * 1000
const row = (price: number, firstUs: number, lastUs: number, network: string | null = BASE): SeenPrice => ({
  network,
  price,
  firstUs,
  lastUs,
})

describe('the lowest price at a time', () => {
  it('is not known where no price ever was', () => {
    expect(leastPriceAt([], BASE, NOW)).toBeUndefined()
  })

  it('is that of rows that cover the time, not a lower one of long before', () => {
    const prices = [row(10_000, NOW - 90 * DAY_US, NOW - 60 * DAY_US), row(50_000, NOW - 60 * DAY_US, NOW)]
    expect(leastPriceAt(prices, BASE, NOW)).toBe(50_000)
    expect(leastPriceAt(prices, BASE, NOW - 70 * DAY_US)).toBe(10_000)
  })

  it('is the lower one where two sources differ', () => {
    expect(leastPriceAt([row(50_000, 0, NOW), row(40_000, 0, NOW)], BASE, NOW)).toBe(40_000)
  })

  it('still is that of a row seen up to seven days before, and already that of one seen within the next hour', () => {
    const prices = [row(10_000, NOW, NOW), row(90_000, NOW - 30 * DAY_US, NOW + 30 * DAY_US)]
    expect(leastPriceAt(prices, BASE, NOW + PRICE_STANDS_US)).toBe(10_000)
    expect(leastPriceAt(prices, BASE, NOW + PRICE_STANDS_US + 1)).toBe(90_000)
    expect(leastPriceAt(prices, BASE, NOW - PRICE_PRECEDES_US)).toBe(10_000)
    expect(leastPriceAt(prices, BASE, NOW - PRICE_PRECEDES_US - 1)).toBe(90_000)
  })

  it('is the lowest ever seen where no row is near', () => {
    const prices = [row(70_000, NOW, NOW), row(60_000, NOW + 30 * DAY_US, NOW + 30 * DAY_US)]
    expect(leastPriceAt(prices, BASE, NOW - 300 * DAY_US)).toBe(60_000)
  })

  it('is that of the network under any of its names, and of rows for any network', () => {
    const solana = row(10, 0, NOW, 'solana')
    expect(leastPriceAt([solana, row(50_000, 0, NOW, 'base')], BASE, NOW)).toBe(50_000)
    expect(leastPriceAt([solana, row(50_000, 0, NOW, 'base')], 'base', NOW)).toBe(50_000)
    expect(leastPriceAt([solana, row(50_000, 0, NOW), row(40_000, 0, NOW, null)], BASE, NOW)).toBe(40_000)
  })

  it('is that of other networks where none is known for this one', () => {
    expect(leastPriceAt([row(30_000, 0, NOW, 'solana'), row(20_000, 0, NOW, 'tempo')], BASE, NOW)).toBe(20_000)
  })

  const anyRow = fc
    .record({
      network: fc.constantFrom(null, 'base', BASE, 'solana', 'tempo'),
      price: fc.nat(1_000_000),
      at: fc.nat(100),
      days: fc.nat(50),
    })
    .map(({ network, price, at, days }) => row(price, at * DAY_US, (at + days) * DAY_US, network))
  const rows = fc.array(anyRow, { maxLength: 12 })
  const time = fc.integer({ min: 0, max: 200 }).map((day) => day * DAY_US)
  const numRuns = Number(process.env.PROPERTY_RUNS ?? 500)

  it('is always one of the prices seen, whatever their order', () => {
    fc.assert(
      fc.property(rows, time, (prices, at) => {
        const least = leastPriceAt(prices, BASE, at)
        expect(leastPriceAt(prices.toReversed(), 'base', at)).toBe(least)
        if (prices.length === 0) expect(least).toBeUndefined()
        else expect(prices.map(({ price }) => price)).toContain(least)
      }),
      { numRuns },
    )
  })

  it('is never above a price that stands for the network at that very time', () => {
    fc.assert(
      fc.property(rows, time, (prices, at) => {
        const standing = prices.filter(
          ({ network, firstUs, lastUs }) =>
            (network === null || network === 'base' || network === BASE) && firstUs <= at && at <= lastUs,
        )
        for (const { price } of standing) expect(leastPriceAt(prices, BASE, at)).toBeLessThanOrEqual(price)
      }),
      { numRuns },
    )
  })

  it('never rises when another price is seen that stands at that time on that network', () => {
    fc.assert(
      fc.property(rows, time, fc.nat(1_000_000), (prices, at, price) => {
        const standing = row(50, at, at)
        const before = leastPriceAt([...prices, standing], BASE, at) ?? 0
        expect(leastPriceAt([...prices, standing, row(price, at, at)], BASE, at)).toBe(Math.min(before, price))
      }),
      { numRuns },
    )
  })
})
