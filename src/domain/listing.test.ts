import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CARD_CODE, cardLine, cardStatusLine, compareListings, type Listing, listingLine } from './listing.ts'
import { formatPrice } from './money/price.ts'
import { compareBytes } from './order.ts'
import { formatTimestamp, LATEST_US } from './time/timestamp.ts'

const NOON_US = Date.UTC(2026, 10, 14, 12) * 1000

/** Few values each, so that ties are common. */
const rival: fc.Arbitrary<Listing> = fc.record({
  source: fc.constantFrom('a', 'b', 'é', '𐀀', '\uffee'),
  price: fc.constantFrom(null, 0, 1, 10_000),
  network: fc.constantFrom(null, 'base', 'eip155:8453', 'solana'),
  firstUs: fc.nat(3),
  lastUs: fc.integer({ min: 3, max: 5 }),
})

describe('listingLine', () => {
  it('prints the specified line to the character', () => {
    const row = { source: 'bazaar', price: 10_000, network: 'base', firstUs: NOON_US, lastUs: NOON_US + 1 }
    expect(listingLine(row)).toBe(
      'bazaar: price 0.010000, network base, label directory-observed, observed 2026-11-14T12:00:00.000000Z to 2026-11-14T12:00:00.000001Z',
    )
    expect(listingLine({ ...row, price: null, network: null })).toBe(
      'bazaar: price no data, network no data, label directory-observed, observed 2026-11-14T12:00:00.000000Z to 2026-11-14T12:00:00.000001Z',
    )
    expect(listingLine({ ...row, price: 0 })).toContain('price 0.000000,')
  })

  it('prints every part of every row', () => {
    const anyRow = fc.record({
      source: fc.string(),
      price: fc.option(fc.maxSafeNat()),
      network: fc.option(fc.string()),
      firstUs: fc.integer({ min: 0, max: LATEST_US }),
      lastUs: fc.integer({ min: 0, max: LATEST_US }),
    })
    fc.assert(
      fc.property(anyRow, (row) => {
        const price = row.price === null ? 'no data' : formatPrice(row.price)
        const times = `observed ${formatTimestamp(row.firstUs)} to ${formatTimestamp(row.lastUs)}`
        expect(listingLine(row)).toBe(
          `${row.source}: price ${price}, network ${row.network ?? 'no data'}, label directory-observed, ${times}`,
        )
      }),
    )
  })
})

describe('the card lines', () => {
  it('stand as specified, without a space between the three facts', () => {
    expect(cardLine(10_000, 'x402', 'base')).toBe('Price: 0.010000Rail: x402Network: base')
    expect(cardLine(0, 'mpp', 'tempo:4217')).toBe('Price: 0.000000Rail: mppNetwork: tempo:4217')
    expect(cardLine(null, 'x402', null)).toBe('Price: no dataRail: x402Network: no data')
    expect(CARD_CODE).toBe('D-184')
    expect(cardStatusLine('unverified')).toBe('Probe status: unverified')
  })
})

describe('compareListings', () => {
  it('is a total order: antisymmetric, transitive, and equal only for rows that say the same of the same moment', () => {
    fc.assert(
      fc.property(rival, rival, rival, (a, b, c) => {
        const sign = (x: Listing, y: Listing): number => Math.sign(compareListings(x, y))
        expect(sign(a, b)).toBe(0 - sign(b, a))
        if (sign(a, b) <= 0 && sign(b, c) <= 0) expect(sign(a, c)).toBeLessThanOrEqual(0)
        const said = ({ source, price, network, lastUs }: Listing): unknown[] => [source, price, network, lastUs]
        expect(sign(a, b) === 0).toBe(JSON.stringify(said(a)) === JSON.stringify(said(b)))
      }),
      { numRuns: 5000 },
    )
  })

  it('prefers the newest sighting, then the lower price, then source and network by bytes; the unknown comes last', () => {
    fc.assert(
      fc.property(rival, rival, (a, b) => {
        const price = (row: Listing): number => row.price ?? Number.POSITIVE_INFINITY
        const expected =
          a.lastUs !== b.lastUs
            ? b.lastUs - a.lastUs
            : price(a) !== price(b)
              ? price(a) - price(b)
              : a.source !== b.source
                ? compareBytes(a.source, b.source)
                : a.network === b.network
                  ? 0
                  : a.network === null
                    ? 1
                    : b.network === null
                      ? -1
                      : compareBytes(a.network, b.network)
        expect(Math.sign(compareListings(a, b))).toBe(Math.sign(expected))
      }),
      { numRuns: 2000 },
    )
  })
})
