import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Challenge, currentRows, type Offer, probeStatusOf } from './challenge.ts'
import type { Listing } from './listing.ts'

const row = (more: Partial<Listing> = {}): Listing => ({
  source: 'bazaar',
  price: 10_000,
  network: 'base',
  firstUs: 1,
  lastUs: 5,
  ...more,
})
const offer = (more: Partial<Offer> = {}): Offer => ({
  rail: 'x402',
  network: 'eip155:8453',
  price: 10_000,
  asset: null,
  payee: null,
  ...more,
})
const asking = (...offers: Offer[]): Challenge => ({ offers, warnings: [] })

describe('currentRows', () => {
  it('are those of each source’s newest sighting', () => {
    const rows = [
      row({ lastUs: 3, price: 1 }),
      row({ lastUs: 5, price: 2 }),
      row({ lastUs: 5, price: 2, network: 'solana' }),
      row({ source: 'other', lastUs: 1, price: 3 }),
    ]
    expect(currentRows(rows)).toEqual(rows.slice(1))
    expect(currentRows([])).toEqual([])
  })

  it('hold at least one row of every source and none older than another of the same', () => {
    const some = fc.array(
      fc.record({ source: fc.constantFrom('a', 'b', 'c'), lastUs: fc.nat(3) }).map((more) => row(more)),
    )
    fc.assert(
      fc.property(some, (rows) => {
        const current = currentRows(rows)
        expect(new Set(current.map((one) => one.source))).toEqual(new Set(rows.map((one) => one.source)))
        for (const one of current) {
          expect(rows.every((other) => other.source !== one.source || other.lastUs <= one.lastUs)).toBe(true)
        }
      }),
    )
  })
})

describe('probeStatusOf', () => {
  it('is verified when rail, network and price of a current row match an offer', () => {
    expect(probeStatusOf('x402', [row()], asking(offer()))).toBe('verified')
    expect(
      probeStatusOf('x402', [row({ price: 1 }), row({ source: 'other' })], asking(offer({ price: 2 }), offer())),
    ).toBe('verified')
  })

  it.each([
    ['price', [row({ price: 20_000 })], asking(offer())],
    ['network', [row({ network: 'solana' })], asking(offer())],
    ['rail', [row()], asking(offer({ rail: 'mpp' }))],
    ['price of an older row of the same source', [row({ lastUs: 4 }), row({ price: 1 })], asking(offer())],
    ['pair of price and network', [row(), row({ price: 1, network: 'solana' })], asking(offer({ price: 1 }))],
  ])('differs when the %s does', (_what, rows, challenge) => {
    expect(probeStatusOf('x402', rows, challenge)).toBe('differs')
  })

  it.each([
    ['no challenge', [row()], null],
    ['no offer', [row()], asking()],
    ['no listing', [], asking(offer())],
    ['an unknown listed price', [row({ price: null })], asking(offer())],
    ['an unknown listed network', [row({ network: null })], asking(offer())],
    ['an unknown asked price', [row()], asking(offer({ price: null }))],
    ['an unknown asked network', [row()], asking(offer({ network: null }))],
  ])('stays unverified with %s', (_what, rows, challenge) => {
    expect(probeStatusOf('x402', rows, challenge)).toBe('unverified')
  })

  it('does not depend on the order of rows and offers', () => {
    const rows = fc.array(
      fc
        .record({ source: fc.constantFrom('a', 'b'), price: fc.constantFrom(null, 1, 2), lastUs: fc.nat(2) })
        .map((more) => row(more)),
    )
    const offers = fc.array(
      fc
        .record({ price: fc.constantFrom(null, 1, 2), network: fc.constantFrom('base', 'solana') })
        .map((more) => offer(more)),
    )
    fc.assert(
      fc.property(rows, offers, (listed, asked) => {
        expect(probeStatusOf('x402', listed.toReversed(), asking(...asked.toReversed()))).toBe(
          probeStatusOf('x402', listed, asking(...asked)),
        )
      }),
    )
  })
})
