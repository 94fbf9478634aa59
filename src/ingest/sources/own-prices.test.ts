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

describe('a price in the smallest units', () => {
  it.each([
    { priceMicroUsdc: 10_000 },
    { price_micro_usdc: '10000' },
    { price_usd_micros: 10_000 },
    { amountMicroUsd: '10000' },
    { priceMicroUsdc: 10_000, priceUsd: '$0.01' },
    { price: { microUsdc: 10_000 } },
  ])('is read where its field says millionths of a dollar: %j', (said) => {
    expect(priced(said)).toEqual([['/a', CENT]])
  })

  it('is none where another field states other dollars, rounded or not', () => {
    expect(priced({ priceMicroUsdc: 15_000, priceUsd: '$0.01' })).toEqual([['/a', null]])
  })

  it.each([{ price_micro_usdc_per_hour: 10_000 }, { price_micro_eth: 10_000 }, { priceMicroUsdc: '0.01' }])(
    'is not read where it may be of something else: %j',
    (said) => {
      expect(priced(said)).not.toEqual([['/a', CENT]])
    },
  )
})

describe('a range without width', () => {
  const range = (unit: string, value: unknown) => priced({ [`min_${unit}`]: value, [`max_${unit}`]: value })

  it.each([
    ['price', '0.01'],
    ['price_usd', 0.01],
    ['price_usdc', '$0.01'],
    ['price_micro_usdc', 10_000],
  ])('is a price, in what its fields say: %s', (unit, value) => {
    expect(range(unit, value)).toEqual([['/a', CENT]])
  })

  it.each([
    ['price_eth', 0.01],
    ['price_cents', 5],
    ['amount', '10000'],
    ['price', 2],
  ])('is none where its ends may be anything: %s', (unit, value) => {
    expect(range(unit, value)).toEqual([['/a', null]])
  })

  it('counts in the currency beside it', () => {
    expect(priced({ minPrice: 0.01, maxPrice: 0.01, currency: 'ETH' })).toEqual([['/a', null]])
    expect(priced({ minPrice: 2, maxPrice: 2, currency: 'USD' })).toEqual([['/a', 2_000_000]])
  })
})

describe('a whole number that may be a few dollars or a few of the smallest units', () => {
  const usdc = { symbol: 'USDC', address: USDC_ON_BASE, decimals: 6 }
  const document = (prices: readonly unknown[]) =>
    rows({
      network: 'base',
      asset: usdc,
      endpoints: prices.map((price, index) => ({ path: `/${index}`, price })),
    })

  it('is no price, while others of the document are', () => {
    expect(document([0.05, 1, '2', '$2', 10_000, '25000', 500])).toEqual([
      ['/0', AROUND],
      ['/1', null],
      ['/2', null],
      ['/3', 2_000_000],
      ['/4', CENT],
      ['/5', 25_000],
      ['/6', 500],
    ])
  })

  it('is base units where it says so', () => {
    const said = { asset: USDC_ON_BASE, network: 'base', payTo: WALLET }
    expect(priced({ ...said, amount_atomic: '1' })).toEqual([['/a', 1]])
    expect(priced({ ...said, maxAmountRequired: '1' })).toEqual([['/a', 1]])
    expect(priced({ accepts: [{ ...said, scheme: 'exact', amount: '1' }] })).toEqual([['/a', 1]])
    expect(priced({ ...said, amount: '1' })).toEqual([['/a', null]])
  })
})

describe('routes in lists by what they cost', () => {
  it('are read, the free ones as free', () => {
    const endpoints = {
      paid: [{ path: '/api/stats', method: 'GET', cost_usdc: 0.1 }, { path: '/api/sales' }],
      free: [{ path: '/health', method: 'GET', cost_usdc: 0 }, '/docs'],
    }
    const { listings, refused } = read({ price: '$0.01', network: 'base', endpoints })
    expect(refused).toEqual([])
    expect(listings.map(({ address, price, network }) => [address.path, price, network])).toEqual([
      ['/api/stats', 100_000, 'base'],
      ['/api/sales', CENT, 'base'],
      ['/health', 0, null],
      ['/docs', 0, null],
    ])
  })

  it('are not looked for under names of other things', () => {
    expect(rows({ price: '$0.01', endpoints: { deprecated: [{ path: '/old' }], '/a': {} } })).toEqual([['/a', CENT]])
  })
})

describe('who is paid, and in what', () => {
  it.each([
    { payment: { network: 'base', token_contract: USDC_ON_BASE, receiver_address: WALLET } },
    { payment: { network: 'base', assetContract: USDC_ON_BASE, paymentAddress: WALLET } },
    { payment: { network: 'base', asset: 'USDC', asset_contract: USDC_ON_BASE, pay_to_address: WALLET } },
  ])('is read under the names that sellers have for it: %j', (said) => {
    const { listings } = read({ ...said, endpoints: [{ path: '/a', amount: '10000' }] })
    expect(listings.map(({ price, payees }) => [price, payees])).toEqual([
      [CENT, [{ network: 'base', payee: WALLET, asset: USDC_ON_BASE }]],
    ])
  })
})

describe('what a document says of all its routes as their default', () => {
  it('holds for those that say nothing nearer', () => {
    const services = [
      { endpoint: '/a', price_atomic: 10_000 },
      { endpoint: '/b', price_atomic: 20_000, network: 'polygon', asset: 'USDC' },
    ]
    const { listings } = read({ default_network: 'base', default_asset: USDC_ON_BASE, services })
    expect(listings.map(({ address, price, network }) => [address.path, price, network])).toEqual([
      ['/a', CENT, 'base'],
      ['/b', null, 'polygon'],
    ])
  })
})

describe('a whole number of USDC', () => {
  const of = { network: 'base', asset: USDC_ON_BASE }

  it.each([
    [{ price_usdc: 1 }, 1_000_000],
    [{ cost_usdc: 29 }, 29_000_000],
    [{ price_usdc: '10000' }, CENT],
    [{ amountUsdc: 10_000 }, CENT],
    [{ price_usdc: '7000000', price_usd: 7 }, 7_000_000],
    // Five hundred dollars, or a twentieth of a cent?
    [{ price_usdc: 500 }, null],
    [{ price_usdc: 10_000, asset: 'USDC' }, null],
    [{ price: { USDC: '10000' } }, CENT],
    [{ price: { USDC: '0.01' } }, CENT],
    [{ min_price_usdc: 10_000, max_price_usdc: 10_000 }, CENT],
  ])('is its smallest units where it would be thousands of dollars: %j', (said, price) => {
    expect(rows({ endpoints: [{ path: '/a', ...of, ...said }] })).toEqual([['/a', price]])
  })
})

describe('a price beside base units of a known dollar', () => {
  const of = { network: 'base', asset: USDC_ON_BASE, payTo: WALLET }

  it.each([
    [{ price: '$0.01', price_atomic: '10000' }, CENT],
    [{ price: '$0.01', price_atomic: '20000' }, null],
    [{ price: '$0.01', maxAmountRequired: '20000' }, null],
    [{ price: '$0.01', maxAmountRequired: '10000' }, CENT],
    [{ price: '$0.01', fee_atomic: '20' }, CENT],
  ])('is one where both are the same: %j', (said, price) => {
    expect(rows({ endpoints: [{ path: '/a', ...of, ...said }] })).toEqual([['/a', price]])
  })

  it('is what they ask for in a way to pay of x402', () => {
    const accepts = [{ ...of, scheme: 'exact', price: '$0.05', amount: '10000' }]
    expect(rows({ endpoints: [{ path: '/a', accepts }] })).toEqual([['/a', CENT]])
  })
})

describe('what is free and has a price', () => {
  it.each([
    { free: true, price: '$0.01' },
    { pricing: { free: true, price: 0.01 } },
    { price_usd: 0.01, type: 'free' },
  ])('has no price that is known: %j', (said) => {
    expect(priced(said)).toEqual([['/a', null]])
  })

  it('is free where that is nothing', () => {
    expect(priced({ free: true, price: '$0.00' })).toEqual([['/a', 0]])
  })
})

describe('prices in a list called pricing', () => {
  const offersOf = (pricing: unknown) =>
    read({ resources: [{ path: '/a', pricing }] }).listings.map(({ price, network }) => [price, network])

  it('are ways to pay where each is of another network', () => {
    const onBase = { amount: '0.01', asset: 'USDC', network: 'base' }
    expect(offersOf([onBase])).toEqual([[CENT, 'base']])
    expect(offersOf([onBase, { price: '$0.02', network: 'solana' }])).toEqual([
      [CENT, 'base'],
      [2 * CENT, 'solana'],
    ])
    expect(offersOf([{ ...onBase, amount: '0' }])).toEqual([[0, 'base']])
    expect(offersOf([{ ...onBase, asset: 'ETH' }])).toEqual([[null, 'base']])
    expect(offersOf([{ ...onBase, unit: 'month' }])).toEqual([[null, 'base']])
  })

  it.each([
    [[{ plan: 'pro', price: '$29' }]],
    [
      [
        { name: 'call', price: '$0.01', network: 'base' },
        { name: 'monthly', price: '$29', network: 'eip155:8453' },
      ],
    ],
    [[{ price: '$29', network: 'base' }, { price: '$0.01' }]],
    [['$0.01', '$29']],
    [[]],
  ])('are none of a call where they are plans: %j', (pricing) => {
    expect(offersOf(pricing)).toEqual([[null, null]])
  })
})

describe('other names in documents', () => {
  it('are the address of the currency, and where the service is', () => {
    const { listings } = read({
      ...{ serviceBaseUrl: 'https://api.shop.example', chain: 'base', currency: 'USDC', currencyAddress: USDC_ON_BASE },
      ...{ payTo: WALLET, paidHttpResources: [{ path: '/a', price: '0.01' }] },
    })
    expect(listings).toMatchObject([
      { address: { host: 'api.shop.example' }, price: CENT, payees: [{ payee: WALLET, asset: USDC_ON_BASE }] },
    ])
  })
})
