import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SeenOffer } from '../offers/seen-offer.ts'
import { DAY_US } from '../time/day.ts'
import { FINDING_CODES, type FindingCode, type Severity } from './finding.ts'
import { judge } from './judge.ts'
import type { BuyerPolicy, Known, KnownRoute, LiveOffer } from './known.ts'

const NO_POLICY: BuyerPolicy = { maxPrice: null, tolerance: 0, stop: null }
const NOW_US = Date.UTC(2026, 10, 14, 12) * 1000
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const SELLER = `0x${'a'.repeat(40)}`
const THIEF = `0x${'b'.repeat(40)}`
const BASE = 'eip155:8453'

const row = { source: 'bazaar', price: 10_000, network: 'base', firstUs: NOW_US - 9 * DAY_US, lastUs: NOW_US }
const live = { rail: 'x402', network: BASE, price: 10_000, asset: USDC, payee: SELLER } as const
const seen = { payee: SELLER, origin: 'challenge', firstUs: NOW_US - 9 * DAY_US, lastUs: NOW_US } as const
const kept = { ...seen, firstUs: NOW_US - 5 * DAY_US }
const once = (n: number) => {
  const atUs = NOW_US - n * DAY_US
  return { payee: `0x${String(n).repeat(40)}`, origin: 'challenge', firstUs: atUs, lastUs: atUs } as const
}
const NOW = { httpStatus: 402, sinceUs: NOW_US - DAY_US, last402Us: NOW_US, checkedUs: NOW_US, asked: null }
const sight = (vantage: string, httpStatus: number | null) => ({
  ...{ vantage, httpStatus, entries: 1, atUs: NOW_US, sinceUs: NOW_US, shield: null },
})
const ROUTE: KnownRoute = {
  isTemplate: false,
  listings: [row],
  offers: [live],
  observedUs: NOW_US - 1,
  payees: [seen],
  payeeDays: 3,
  now: NOW,
  lastDay: { entries: 24, unreachable: 0 },
  paidCalls: { served: 0, notServed: 0 },
  notServed: null,
  signedOffers: [],
  nowUs: NOW_US,
}
const OFFER: LiveOffer = { price: 10_000, network: BASE, asset: USDC, payee: SELLER.toUpperCase().replace('0X', '0x') }

const terms = { resourceUrl: 'https://a.example/x', scheme: 'exact', network: BASE, asset: USDC, payTo: SELLER }
const signed = (amount: string, more: Partial<SeenOffer> = {}, validUntil = NOW_US / 1e6 + 60): SeenOffer => ({
  offer: { format: 'eip712', terms: { ...terms, amount, validUntil }, signature: '0x', kid: null },
  ...{ check: { by: 'payee', wallet: SELLER }, firstUs: NOW_US - 1, lastUs: NOW_US, ...more },
})

const known = (more: Partial<KnownRoute>): KnownRoute => ({ ...ROUTE, ...more })
const failing = (httpStatus: number | null) => ({
  ...ROUTE.now,
  httpStatus,
  sinceUs: NOW_US,
  last402Us: null,
  checkedUs: NOW_US,
  asked: null,
})
const said = (known: Known, offer: Partial<LiveOffer> = {}, policy: Partial<BuyerPolicy> = {}) =>
  judge(known, { ...OFFER, ...offer }, { ...NO_POLICY, ...policy }).findings.map(
    ({ code, severity }) => `${severity} ${code}`,
  )

type Case = readonly [
  what: string,
  found: `${Severity} ${FindingCode}`[],
  known: Known,
  offer?: Partial<LiveOffer>,
  policy?: Partial<BuyerPolicy>,
]

const CASES: readonly Case[] = [
  ['as listed and observed', [], ROUTE],
  ['cheaper than listed', [], ROUTE, { price: 1 }],
  ['as the seller signed it', [], known({ signedOffers: [signed('10000')] })],
  ['seen the same from everywhere', [], known({ now: { ...NOW, sights: [sight('eu-1', 402), sight('us-1', 402)] } })],
  [
    'turned away from somewhere',
    ['warn seen_differently'],
    known({ now: { ...NOW, sights: [sight('eu-1', 402), sight('ap-1', 403)] } }),
  ],
  [
    'down from everywhere in different ways',
    ['warn failing_now', 'warn seen_differently'],
    known({ now: { ...NOW, httpStatus: 403, sights: [sight('eu-1', null), sight('ap-1', 403)] } }),
  ],
  [
    'above what the seller signed',
    ['warn signed_offer_differs'],
    known({ signedOffers: [signed('9999'), signed('1')] }),
  ],
  [
    'another payee than the seller signed',
    ['warn payee_never_seen', 'warn signed_offer_differs'],
    known({ signedOffers: [signed('10000')], payees: [{ ...seen, origin: 'listing' }] }),
    { payee: THIEF },
  ],
  [
    'above what it signed, which has ended, or which nobody stands behind',
    [],
    known({
      signedOffers: [
        signed('1', {}, NOW_US / 1e6 - 60),
        signed('1', { check: { by: null, reason: 'its signature is not valid' } }),
        signed('1', { lastUs: NOW_US - 2 * DAY_US }, 0),
      ],
    }),
  ],
  ['buyers who were all served', [], known({ paidCalls: { served: 12, notServed: 0 } })],
  [
    'a buyer who was not served',
    ['warn buyers_not_served'],
    known({ paidCalls: { served: 11, notServed: 1 }, notServed: { httpStatus: 500, reportedUs: NOW_US } }),
  ],
  [
    'a buyer who was not served, where that stops',
    ['stop buyers_not_served'],
    known({ paidCalls: { served: 0, notServed: 1 } }),
    {},
    { stop: ['buyers_not_served'] },
  ],
  ['above both', ['stop price_above_listed', 'stop price_above_observed'], ROUTE, { price: 10_001 }],
  ['above both, within tolerance', [], ROUTE, { price: 11_000 }, { tolerance: 0.1 }],
  [
    'at the edge of the tolerance, where fractions are not exact',
    [],
    known({
      listings: [{ ...row, price: 900_000 }],
      offers: [{ ...live, price: 900_000 }],
      signedOffers: [signed('900000')],
    }),
    { price: 1_035_000 },
    { tolerance: 0.15 },
  ],
  [
    'a millionth beyond that edge',
    ['stop price_above_listed', 'stop price_above_observed'],
    known({ listings: [{ ...row, price: 900_000 }], offers: [{ ...live, price: 900_000 }] }),
    { price: 1_035_001 },
    { tolerance: 0.15 },
  ],
  [
    'above both, beyond tolerance',
    ['stop price_above_listed', 'stop price_above_observed'],
    ROUTE,
    { price: 11_001 },
    { tolerance: 0.1 },
  ],
  [
    'above listed, as observed',
    ['warn price_above_listed'],
    known({ offers: [{ ...live, price: 20_000 }] }),
    { price: 20_000 },
  ],
  [
    'above observed, as listed',
    ['warn price_above_observed'],
    known({ listings: [{ ...row, price: 20_000 }] }),
    { price: 20_000 },
  ],
  ['above listed, nothing observed', ['warn price_above_listed'], known({ offers: [] }), { price: 20_000 }],
  [
    'above observed, nothing listed',
    ['warn price_above_observed'],
    known({ listings: [{ ...row, price: null }] }),
    { price: 20_000 },
  ],
  [
    'as the dearest of several sources says',
    [],
    known({ offers: [], listings: [row, { ...row, source: 'index', price: 20_000 }] }),
    { price: 20_000 },
  ],
  [
    'above a row that its source named no more',
    ['stop price_above_listed', 'stop price_above_observed'],
    known({ listings: [row, { ...row, source: 'old', price: 50_000, goneUs: NOW_US }] }),
    { price: 20_000 },
  ],
  ['on another network', ['warn network_unlisted'], ROUTE, { network: 'eip155:10', asset: null }],
  [
    'dearer on another network',
    ['stop price_above_listed', 'stop price_above_observed', 'warn network_unlisted'],
    ROUTE,
    { network: 'eip155:10', asset: null, price: 20_000 },
  ],
  [
    'dearer on a network that is named without a price',
    ['stop price_above_listed', 'stop price_above_observed'],
    known({
      listings: [row, { ...row, source: 'other', network: 'eip155:10', price: null }],
      offers: [live, { ...live, network: 'eip155:10', price: null }],
    }),
    { network: 'eip155:10', asset: null, price: 20_000 },
  ],
  [
    'dearer beside an offer without a price on the same network',
    ['stop price_above_listed', 'stop price_above_observed'],
    known({
      offers: [
        { ...live, network: 'eip155:10' },
        { ...live, price: null },
      ],
    }),
    { price: 20_000 },
  ],
  ['on a network under another name', [], ROUTE, { network: 'base' }],
  ['in an asset that nobody knows', ['stop asset_unknown'], ROUTE, { asset: THIEF, price: null }],
  ['in an asset that is not named, without a price', ['stop asset_unknown'], ROUTE, { asset: null, price: null }],
  ['in a dollar of another network', ['stop asset_unknown', 'warn network_unlisted'], ROUTE, { network: 'eip155:10' }],
  ['by card, in dollars', [], known({ listings: [{ ...row, network: null }] }), { network: null, asset: 'usd' }],
  ['above the limit', ['stop price_above_limit'], ROUTE, {}, { maxPrice: 9_999 }],
  ['at the limit', [], ROUTE, {}, { maxPrice: 10_000 }],
  ['a limit and no price', ['stop price_above_limit'], ROUTE, { price: null }, { maxPrice: 10_000 }],
  ['a limit that the policy leaves out of its codes', ['stop price_above_limit'], ROUTE, {}, { maxPrice: 1, stop: [] }],
  ['to a payee that was never seen', ['stop payee_never_seen'], ROUTE, { payee: THIEF }],
  [
    'to a payee that was never seen, after two days',
    ['warn payee_never_seen'],
    known({ payeeDays: 2 }),
    { payee: THIEF },
  ],
  [
    'to a payee that no source names',
    ['warn payee_never_seen'],
    known({ payees: [{ ...seen, origin: 'listing' }] }),
    { payee: THIEF },
  ],
  [
    'to a payee that was never seen, where none was seen twice',
    ['warn payee_never_seen'],
    known({ payees: [once(1)] }),
    { payee: THIEF },
  ],
  [
    'to a new payee of a seller that names a new one each time',
    ['info payee_never_seen'],
    known({ payees: [kept, once(1), once(2), once(3)] }),
    { payee: THIEF },
  ],
  [
    'to a new payee of a seller that names a new one each time since a few days, after weeks with one',
    ['stop payee_never_seen'],
    known({ payees: [{ ...seen, lastUs: NOW_US - 3 * DAY_US }, once(0), once(1), once(2)] }),
    { payee: THIEF },
  ],
  [
    'to the newest payee of a seller that names a new one each time',
    [],
    known({ payees: [kept, once(1), once(2), { ...once(3), payee: THIEF }] }),
    { payee: THIEF },
  ],
  [
    'to a payee that was never seen, where three others were named within a day',
    ['stop payee_never_seen'],
    known({ payees: [seen, ...[1, 2, 3].map((n) => ({ ...once(0), payee: `0x${String(n).repeat(40)}` }))] }),
    { payee: THIEF },
  ],
  [
    'to one of three payees that were named within a day, where another is kept',
    ['warn payee_changed'],
    known({ payees: [seen, once(0), { ...once(0), payee: `0x${'1'.repeat(40)}` }, { ...once(0), payee: THIEF }] }),
    { payee: THIEF },
  ],
  [
    'to a payee that was never seen, where as many are kept as were named once',
    ['stop payee_never_seen'],
    known({ payees: [1, 2, 3].flatMap((n) => [once(n), { ...once(n + 3), lastUs: NOW_US }]) }),
    { payee: THIEF },
  ],
  ['to anybody, where no payee is known', [], known({ payees: [] }), { payee: THIEF }],
  [
    'to a payee of today',
    ['warn payee_changed'],
    known({ payees: [seen, { payee: THIEF, origin: 'challenge', firstUs: NOW_US - 5, lastUs: NOW_US }] }),
    { payee: THIEF },
  ],
  ['to the payee of a route of today', [], known({ payees: [{ ...seen, firstUs: NOW_US - 5 }] })],
  ['failing', ['warn failing_now'], known({ now: failing(500) })],
  ['unreachable', ['warn unreachable_lately'], known({ now: failing(null) })],
  [
    'failing, and unreachable once today',
    ['warn failing_now', 'warn unreachable_lately'],
    known({ now: failing(500), lastDay: { entries: 24, unreachable: 1 } }),
  ],
  [
    'failing, and unreachable once today, where that stops',
    ['stop unreachable_lately', 'warn failing_now'],
    known({ now: failing(500), lastDay: { entries: 24, unreachable: 1 } }),
    {},
    { stop: ['unreachable_lately'] },
  ],
  ['unreachable once today', ['warn unreachable_lately'], known({ lastDay: { entries: 24, unreachable: 1 } })],
  ['never probed', ['info never_probed'], known({ now: null })],
  ['a template', ['info never_probed'], known({ now: null, isTemplate: true })],
  ['listed no more', ['warn no_longer_listed'], known({ listings: [{ ...row, goneUs: NOW_US }] })],
  ['retired', ['warn retired_by_seller'], known({ retired: { sinceUs: NOW_US, movedTo: null } })],
  ['moved', ['warn moved_by_seller'], known({ retired: { sinceUs: NOW_US, movedTo: 'api.shop.example' } })],
  ['an unknown host', ['warn unknown_host'], 'unknown host'],
  ['an unknown host, by choice', ['stop unknown_host'], 'unknown host', {}, { stop: ['unknown_host'] }],
  [
    'an unknown host above the limit',
    ['stop price_above_limit', 'warn unknown_host'],
    'unknown host',
    {},
    { maxPrice: 1 },
  ],
  ['an unknown route', ['warn never_probed'], 'unknown route'],
  [
    'above both, by choice no reason to stop',
    ['warn price_above_listed', 'warn price_above_observed'],
    ROUTE,
    { price: 20_000 },
    { stop: [] },
  ],
]

describe('judging an offer', () => {
  const named = CASES.map(([what, found, known, offer, policy]) => ({ what, found, known, offer, policy }))
  it.each(named)('$what', ({ found, known, offer, policy }) => {
    expect(said(known, offer, policy)).toEqual(found)
  })

  it('has a case for every code that is found so far', () => {
    const later: readonly FindingCode[] = ['directory_unreachable']
    const found = new Set(CASES.flatMap(([, codes]) => codes.map((one) => one.split(' ')[1])))
    expect(FINDING_CODES.filter((code) => !found.has(code))).toEqual(later)
  })

  const word = fc.oneof(fc.constantFrom(BASE, 'base', USDC, SELLER, THIEF, 'usd', '\n# Pay', '<b>'), fc.string())
  const anyOffer = fc.record({
    price: fc.option(fc.nat()),
    network: fc.option(word),
    asset: fc.option(word),
    payee: fc.option(word),
  })
  const anyPolicy = fc.record({
    maxPrice: fc.option(fc.nat()),
    tolerance: fc.double({ min: 0, max: 10, noNaN: true }),
    stop: fc.option(fc.subarray([...FINDING_CODES])),
  })
  const anyKnown = fc.constantFrom<Known[]>(...CASES.map(([, , known]) => known))

  it('allows exactly what nothing stops, names each code once, and says what stops first', () => {
    fc.assert(
      fc.property(anyKnown, anyOffer, anyPolicy, (known, offer, policy) => {
        const { allow, findings } = judge(known, offer, policy)
        expect(allow).toBe(findings.every(({ severity }) => severity !== 'stop'))
        expect(new Set(findings.map(({ code }) => code)).size).toBe(findings.length)
        const order = findings.map(({ severity }) => ['stop', 'warn', 'info'].indexOf(severity))
        expect(order).toEqual(order.toSorted())
      }),
      { numRuns: 2_000 },
    )
  })

  it('repeats no word of a stranger that could be read as anything else', () => {
    fc.assert(
      fc.property(anyKnown, anyOffer, anyPolicy, (known, offer, policy) => {
        for (const finding of judge(known, offer, policy).findings) {
          expect(finding.said).toMatch(/^[A-Z0-9][A-Za-z0-9 ,.;:()_-]+\.$/)
        }
      }),
    )
  })

  it('never allows a dearer offer where it stops a cheaper one', () => {
    fc.assert(
      fc.property(anyKnown, anyOffer, anyPolicy, fc.nat(), fc.nat(), (known, offer, policy, low, more) => {
        const cheap = judge(known, { ...offer, price: low }, { ...policy, stop: null })
        const dear = judge(known, { ...offer, price: low + more }, { ...policy, stop: null })
        expect(dear.allow && !cheap.allow).toBe(false)
      }),
    )
  })
})
