import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { leastPriceAt, PRICE_PRECEDES_US, PRICE_STANDS_US, takesRealMoney } from './least-price.ts'
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

  it('never holds play money against real money, nor real money against play money', () => {
    const prices = [row(1_000_000, 0, NOW), row(1, 0, NOW, 'base-sepolia')]
    expect(leastPriceAt(prices, 'polygon', NOW)).toBe(1_000_000)
    expect(leastPriceAt(prices, 'polygon-amoy', NOW)).toBe(1)
    expect(leastPriceAt(prices.slice(1), BASE, NOW)).toBeUndefined()
  })

  const asked = (price: number, firstUs: number, lastUs: number): SeenPrice => ({
    ...row(price, firstUs, lastUs),
    isAsked: true,
  })

  it('is what live challenges of that time ask for, the lowest of them, whatever sources say', () => {
    const said = [row(1, 0, NOW), row(1, 0, NOW, null), row(250_000, 0, NOW, 'base')]
    expect(leastPriceAt([...said, asked(250_000, NOW - DAY_US, NOW)], BASE, NOW)).toBe(250_000)
    // Another price a week ago, and one within the hour.
    expect(leastPriceAt([...said, asked(250_000, NOW, NOW), asked(90_000, NOW - DAY_US, NOW)], BASE, NOW)).toBe(90_000)
    expect(leastPriceAt([...said, asked(250_000, 0, NOW), asked(80_000, NOW, NOW)], BASE, NOW - 1)).toBe(80_000)
    // Neither one on another network nor one without a known price says anything.
    const elsewhere = { ...asked(250_000, 0, NOW), network: 'polygon' }
    expect(leastPriceAt([...said, elsewhere, { ...asked(0, 0, NOW), price: null }], BASE, NOW)).toBe(1)
    // Also of times of which nothing is known.
    expect(leastPriceAt([row(1, NOW, NOW), asked(250_000, NOW, NOW)], BASE, NOW - 300 * DAY_US)).toBe(250_000)
  })

  it('is also what a source has come to say since the newest challenge, once another bears it out, and what it said while there was none', () => {
    const dear = asked(250_000, NOW - DAY_US, NOW - 3600)
    const since = [dear, row(100_000, NOW - 3599, NOW)]
    const later = NOW + DAY_US
    expect(leastPriceAt(since, BASE, NOW)).toBe(250_000)
    expect(leastPriceAt([...since, asked(100_001, later, later)], BASE, NOW)).toBe(250_000)
    expect(leastPriceAt([...since, asked(90_000, later, later)], BASE, NOW)).toBe(100_000)
    expect(leastPriceAt([dear, row(100_000, NOW - 3600, NOW), asked(90_000, later, later)], BASE, NOW)).toBe(250_000)
    expect(leastPriceAt([...since, asked(90_000, NOW - 3600, later)], BASE, NOW - 8 * DAY_US)).toBe(90_000)
    expect(leastPriceAt([dear, row(100_000, NOW - 90 * DAY_US, NOW)], BASE, NOW - 60 * DAY_US)).toBe(100_000)
  })

  const anyRow = fc
    .record({
      network: fc.constantFrom(null, 'base', BASE, 'solana', 'tempo'),
      price: fc.nat(1_000_000),
      isAsked: fc.boolean(),
      at: fc.nat(100),
      days: fc.nat(50),
    })
    .map(({ network, price, isAsked, at, days }) => ({
      ...row(price, at * DAY_US, (at + days) * DAY_US, network),
      isAsked,
    }))
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

  it('is never above a price that is asked for on the network at that very time, or said where none ever was asked', () => {
    fc.assert(
      fc.property(rows, time, (prices, at) => {
        const standing = prices.filter(
          ({ network, isAsked, firstUs, lastUs }) =>
            (isAsked || !prices.some((other) => other.isAsked)) &&
            (network === null || network === 'base' || network === BASE) &&
            firstUs <= at &&
            at <= lastUs,
        )
        const least = leastPriceAt(prices, BASE, at) ?? 0
        expect(standing.filter(({ price }) => price !== null && price < least)).toEqual([])
      }),
      { numRuns },
    )
  })

  it('never rises when another price is asked for that stands at that time on that network, nor when one is said where none is asked', () => {
    fc.assert(
      fc.property(rows, time, fc.nat(1_000_000), fc.boolean(), (anyPrices, at, price, isAsked) => {
        const prices = isAsked ? anyPrices : anyPrices.map((one) => ({ ...one, isAsked }))
        const standing = { ...row(50, at, at), isAsked }
        const before = leastPriceAt([...prices, standing], BASE, at) ?? 0
        const after = leastPriceAt([...prices, standing, { ...standing, price }], BASE, at)
        expect(after).toBe(Math.min(before, price))
      }),
      { numRuns },
    )
  })
})

describe('a route that is sold for real money', () => {
  it('is one that anybody names with such a network, at that time or since, whatever the price', () => {
    const test = row(1, 0, NOW, 'base-sepolia')
    expect(takesRealMoney([test, row(1, 0, NOW, null)], NOW)).toBe(false)
    expect(takesRealMoney([test, row(1, 0, NOW)], NOW)).toBe(true)
    expect(takesRealMoney([test, { ...row(1, NOW, NOW, 'solana'), price: null }], NOW - 90 * DAY_US)).toBe(true)
    expect(takesRealMoney([test, row(1, 0, NOW - PRICE_STANDS_US - 1)], NOW)).toBe(false)
  })
})
