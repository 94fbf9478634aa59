import { describe, expect, it } from 'vitest'
import { USDC_ON_BASE, WALLET } from './testing/accounts.ts'
import { parseWellKnown } from './well-known.ts'

const base = 'https://shop.example/.well-known/x402'
const read = (document: object) => parseWellKnown(document, { allow: [], base })
const rows = (document: object) => read(document).listings.map(({ address, price }) => [address.path, price])
const CENT = 10_000
const AROUND = 50_000
/** A route in a document that says `$0.05` of all. */
const priced = (said: object) => rows({ price: '$0.05', network: 'base', endpoints: [{ path: '/a', ...said }] })

describe('what a route says of its price', () => {
  it.each([
    { pricing: '$0.01' },
    { pricing: 0.01 },
    { pricing: '0.01 USDC per call' },
    { charge: '$0.01' },
    { payment_info: { price: '$0.01' } },
    { paymentDetails: { amount: '0.01', currency: 'USDC' } },
  ])('stands before what is said of all: %j', (said) => {
    expect(priced(said)).toEqual([['/a', CENT]])
  })

  it.each([{ pricing: 'Free' }, { isFree: true }, { is_free: true }])('is nothing: %j', (said) => {
    expect(priced(said)).toEqual([['/a', 0]])
  })

  it.each([{ price: null }, { price: false }, { pricing: 'usage based' }, { tier: 'free' }, { access: 'Free' }])(
    'is not what is said of all: %j',
    (said) => {
      expect(priced(said)).toEqual([['/a', null]])
    },
  )

  it.each([{ pricing: 'per-call' }, { pricing: '/pricing' }, { tier: 'pro' }, { charge: true }, { isFree: false }])(
    'is left to what is said of all: %j',
    (said) => {
      expect(priced(said)).toEqual([['/a', AROUND]])
    },
  )

  it.each([
    ...[{ x402: false }, { payment: false }, { payment: { required: false } }, { gated: false }],
    ...[{ paid: false }, { paymentRequired: false }],
  ])('is that nobody pays: %j', (said) => {
    const found = read({ price: '$0.05', endpoints: [{ path: '/a', ...said }] })
    expect([found.listings, found.refused]).toEqual([[], [{ reason: 'not_paid', item: '/a' }]])
  })

  it('may be that it is paid by mpp alone', () => {
    const mpp = { method: 'stripe', currency: 'usd', amount: '50' }
    const { listings } = read({ endpoints: [{ path: '/a', x402: false, mpp }] })
    expect(listings.map(({ rail, price }) => [rail, price])).toEqual([['mpp', 500_000]])
  })
})

describe('prices by path', () => {
  it('are those of the routes that a list names', () => {
    const pricing = { '/a': '$0.01', 'POST /b': { amount: '0.02', currency: 'USDC' }, default: '$0.05' }
    const given = [
      ['/a', CENT],
      ['/b', 2 * CENT],
      ['/c', AROUND],
    ]
    expect(rows({ pricing, endpoints: ['/a', 'POST /b', '/c'] })).toEqual(given)
    expect(rows({ pricing: { ...pricing, '/b': '$0.02' }, endpoints: ['GET /a', 'PUT /b', 'POST /c'] })).toContainEqual(
      given[1],
    )
    expect(rows({ pricing: { '/a': '$0.01' }, endpoints: [{ path: '/a' }, { path: '/b' }] })).toEqual([
      ['/a', CENT],
      ['/b', null],
    ])
  })

  it('leave a way to pay its own amount', () => {
    const accept = { scheme: 'exact', network: 'base', amount: '20000', asset: USDC_ON_BASE, payTo: WALLET }
    expect(rows({ accepts: [accept], endpoints: [{ path: '/a', pricing: 'per-call' }] })).toEqual([['/a', 2 * CENT]])
  })
})

describe('a rail that is no protocol', () => {
  it('says on which chains a route of x402 is paid', () => {
    for (const rail of ['evm', 'base', 'Solana', 'on-chain', ['base', 'solana']]) {
      const found = read({ endpoints: [{ path: '/a', price: '$0.01', rail }] })
      expect(found.listings.map(({ rail, price }) => [rail, price])).toEqual([['x402', CENT]])
    }
    for (const said of [{ rail: 'L402' }, { rail: 'stripe' }, { protocol: 'evm' }])
      expect(read({ endpoints: [{ path: '/a', price: '$0.01', ...said }] }).refused).toMatchObject([
        { reason: 'unknown_rail' },
      ])
  })
})

describe('a price in cents', () => {
  it('is no dollars', () => {
    for (const said of [{ priceUnit: 'cents' }, { price_unit: 'cent' }, { amount_unit: 'micro' }])
      expect(priced({ price: 5, currency: 'USD', ...said })).toEqual([['/a', null]])
    expect(priced({ price: 5, currency: 'USD', priceUnit: 'USD' })).toEqual([['/a', 5_000_000]])
  })
})
