import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { askedFor, type Challenge, VERSIONS_DIFFER } from '../challenge.ts'
import type { Listing } from '../listing.ts'
import type { Rail } from '../route.ts'
import { currentRows, priceChanges, priceRow, routeFacts } from './route-price.ts'
import { asking, offer, row } from './testing/rows.ts'

const probeStatusOf = (rail: Rail, rows: readonly Listing[], challenge: Challenge | null) =>
  routeFacts(rail, rows, challenge).probeStatus

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

describe('the probe status', () => {
  it('is verified when rail, network and price of a current row match an offer', () => {
    expect(probeStatusOf('x402', [row()], asking(offer()))).toBe('verified')
    expect(
      probeStatusOf('x402', [row({ price: 1 }), row({ source: 'other' })], asking(offer({ price: 2 }), offer())),
    ).toBe('verified')
  })

  it('is not verified where other clients are asked for another price on that network', () => {
    const both = asking(offer({ price: 500_000 }), offer(), offer({ network: 'solana', price: 1 }))
    const contested = { ...both, warnings: [VERSIONS_DIFFER] }
    expect(probeStatusOf('x402', [row()], both)).toBe('verified')
    expect(probeStatusOf('x402', [row()], contested)).toBe('differs')
    expect(probeStatusOf('x402', [row({ network: 'solana', price: 1 })], contested)).toBe('verified')
    const listed = { rail: 'x402', network: 'base' } as const
    expect(askedFor(contested, { ...listed, price: 10_000 })).toEqual({ price: 500_000, network: 'base' })
    expect(askedFor(contested, { ...listed, price: 500_000 })).toEqual({ price: 10_000, network: 'base' })
    expect(askedFor(contested, { ...listed, network: 'solana', price: 1 })).toEqual({ price: 1, network: 'solana' })
  })

  it.each([
    ['price', [row({ price: 20_000 })], asking(offer())],
    ['network', [row({ network: 'solana' })], asking(offer())],
    ['rail', [row()], asking(offer({ rail: 'mpp' }))],
    ['price of an older row of the same source', [row({ lastUs: 4 }), row({ price: 1 })], asking(offer())],
    ['price of a row that names no network', [row({ network: null })], asking(offer({ price: 5_000_000 }))],
    [
      'price of such a row that is cheaper than the others',
      [row({ price: 20_000 }), row({ source: 'own', network: null })],
      asking(offer({ price: 5_000_000 })),
    ],
    ['network of a row that states no price', [row({ price: null })], asking(offer({ network: 'solana' }))],
    ['price, whatever else is asked in an unknown asset', [row()], asking(offer({ price: 1 }), offer({ price: null }))],
    ['rail, also where no price was read', [row()], asking(offer({ rail: 'mpp', price: null }))],
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
    [
      'the asked price of a row that names no network',
      [row({ network: null }), row({ price: 20_000 })],
      asking(offer()),
    ],
    [
      'an unknown asked price, whatever is asked on another rail',
      [row()],
      asking(offer({ price: null }), offer({ rail: 'mpp', network: 'tempo:4217' })),
    ],
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

describe('current rows', () => {
  it('are one of each source and network while the source names it, whatever the network is called', () => {
    const rows = [
      row({ price: 1, lastUs: 3 }),
      row({ price: 2, lastUs: 5, network: 'eip155:8453' }),
      row({ price: 3, lastUs: 1, network: 'solana' }),
      row({ price: 4, lastUs: 9, network: 'polygon', goneUs: 12 }),
    ]
    expect(currentRows(rows).map(({ price }) => price)).toEqual([2, 3])
  })

  it('are what each source named last where nobody names the route any more', () => {
    const rows = [
      row({ price: 1, lastUs: 3, goneUs: 12 }),
      row({ price: 2, lastUs: 5, network: 'solana', goneUs: 12 }),
      row({ price: 3, lastUs: 1, source: 'other', goneUs: 12 }),
    ]
    expect(currentRows(rows).map(({ price }) => price)).toEqual([2, 3])
  })
})

describe('the row that gives a route its price', () => {
  const chosen = (rows: readonly Listing[], challenge: Challenge | null = null) =>
    priceRow('x402', rows, challenge)?.price

  it('is one of real money, also where a test network is cheaper, newer and what the challenge asks for', () => {
    const rows = [row({ price: 10_000_000 }), row({ price: 10_000, network: 'Base Sepolia', lastUs: 9 })]
    expect(chosen(rows)).toBe(10_000_000)
    expect(chosen(rows, asking(offer({ network: 'eip155:84532' })))).toBe(10_000_000)
    expect(routeFacts('x402', rows, asking(offer({ network: 'eip155:84532' })))).toMatchObject({
      probeStatus: 'differs',
      matching: { source: 'bazaar', price: 10_000, network: 'Base Sepolia' },
      spread: { low: 10_000, high: 10_000_000 },
    })
  })

  it('is what the newest challenge asks for, then the cheapest, then the first by source', () => {
    const rows = [row({ price: 250_000 }), row({ source: 'a' }), row({ source: 'b', network: 'solana' })]
    expect(chosen(rows, asking(offer({ price: 250_000 })))).toBe(250_000)
    expect(priceRow('x402', rows, null)).toMatchObject({ source: 'a' })
    expect(chosen([row({ price: null, source: 'a' }), row()])).toBe(10_000)
    expect(chosen([])).toBeUndefined()
  })

  it('is the only one that can be verified', () => {
    const few = fc.array(
      fc
        .record({
          source: fc.constantFrom('a', 'b', 'c'),
          price: fc.constantFrom(null, 1, 2),
          network: fc.constantFrom(null, 'base', 'base-sepolia', 'solana'),
          lastUs: fc.nat(3),
          goneUs: fc.constantFrom(null, null, 9),
        })
        .map((more) => row(more)),
    )
    const asked = fc.array(
      fc
        .record({
          price: fc.constantFrom(null, 1, 2),
          network: fc.constantFrom('eip155:8453', 'base-sepolia', 'solana'),
        })
        .map((more) => offer(more)),
    )
    fc.assert(
      fc.property(few, asked, (rows, offers) => {
        const facts = routeFacts('x402', rows, asking(...offers))
        const isAskedFor = offers.some(
          ({ price, network }) =>
            price !== null && price === facts.price && network?.replace('eip155:8453', 'base') === facts.network,
        )
        expect(facts.probeStatus === 'verified').toBe(isAskedFor)
        if (facts.matching !== null) expect(facts.probeStatus).toBe('differs')
        const stated = currentRows(rows).flatMap(({ price, goneUs }) => (goneUs == null ? (price ?? []) : []))
        expect(facts.spread).toEqual(
          new Set(stated).size > 1 ? { low: Math.min(...stated), high: Math.max(...stated) } : null,
        )
      }),
      { numRuns: 3000 },
    )
  })
})

describe('sources that no longer name a route', () => {
  it('do not disagree about its price', () => {
    const rows = [row({ price: 20_000, goneUs: 9 }), row({ source: 'other', price: 250_000, goneUs: 9 })]
    expect(routeFacts('x402', rows, null)).toMatchObject({ price: 20_000, spread: null })
  })
})

describe('a source that says two prices of one network', () => {
  it('has changed nothing when it says them again, in whatever order they are seen', () => {
    const pair = [row({ price: 1, firstUs: 1, lastUs: 1 }), row({ price: 2, firstUs: 2, lastUs: 2 })]
    const again = [row({ price: 1, firstUs: 1, lastUs: 3 }), row({ price: 2, firstUs: 2, lastUs: 2 })]
    expect(priceChanges(pair, again)).toEqual([])
    expect(priceChanges(again, [row({ price: 1, lastUs: 3 }), row({ price: 2, lastUs: 4 })])).toEqual([])
    expect(priceChanges(pair, [...pair, row({ price: 3, firstUs: 5, lastUs: 5 })])).toEqual([
      { source: 'bazaar', network: 'base', from: 2, to: 3 },
    ])
  })
})

describe('a route that one list names at two prices', () => {
  const both = (low: Partial<Listing>, high: Partial<Listing>): Listing[] => [
    row({ price: 1, isOneOfSeveral: true, ...low }),
    row({ price: 2, isOneOfSeveral: true, ...high }),
  ]

  it('has the lower one, whichever was seen last, and says so', () => {
    for (const rows of [both({ lastUs: 9 }, { lastUs: 8 }), both({ lastUs: 8 }, { lastUs: 9 })]) {
      expect(routeFacts('x402', rows, null)).toMatchObject({ price: 1, spread: { low: 1, high: 2 } })
      expect(routeFacts('x402', rows.toReversed(), asking(offer({ price: 2 })))).toMatchObject({
        price: 2,
        probeStatus: 'verified',
      })
    }
  })

  it('has the other when a complete sweep no longer finds one of them, and a third where that replaces both', () => {
    expect(routeFacts('x402', both({ lastUs: 8, goneUs: 9 }, { lastUs: 9 }), null)).toMatchObject({
      price: 2,
      spread: null,
    })
    const replaced = [...both({ lastUs: 7 }, { lastUs: 8 }), row({ price: 3, lastUs: 9 })]
    expect(routeFacts('x402', replaced, null)).toMatchObject({ price: 3, spread: null })
  })

  it('does not move and announces nothing while sweeps see the two in any order', () => {
    const order = fc.array(fc.constantFrom(0, 1), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(order, (seen) => {
        let rows = both({ lastUs: 1 }, { lastUs: 2 })
        seen.forEach((which, at) => {
          const after = rows.map((one, index) => (index === which ? { ...one, lastUs: 10 + at } : one))
          expect(priceRow('x402', after, null)?.price).toBe(1)
          expect(priceChanges(rows, after)).toEqual([])
          rows = after
        })
      }),
    )
  })
})
