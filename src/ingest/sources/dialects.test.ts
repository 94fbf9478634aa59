import { describe, expect, it } from 'vitest'
import { parseOpenapi } from './openapi.ts'
import { SOLANA_WALLET, USDC_ON_BASE, USDC_ON_SOLANA, USDC_ON_TEMPO, WALLET } from './testing/accounts.ts'
import { parseWellKnown } from './well-known.ts'

const base = 'https://shop.example/.well-known/x402'
const rowsOf = ({ listings }: ReturnType<typeof parseWellKnown>) =>
  listings.map(({ method, address, rail, price, network }) => [method, address.path, rail, price, network])
const wellKnown = (document: unknown) => rowsOf(parseWellKnown(document, { allow: [], base }))
const openapi = (operation: object, more: object = {}) =>
  parseOpenapi({ openapi: '3.1.0', paths: { '/x': { get: operation, ...more } } }, { allow: [], base })
const paid = (info: unknown) => rowsOf(openapi({ 'x-payment-info': info }))
const CENT = 10_000

describe('a document of a seller', () => {
  it('states a price beside the address of the dollar it is paid in', () => {
    const entry = { resource: '/a', network: 'base', asset: USDC_ON_BASE }
    const rows = [['GET', '/a', 'x402', CENT, 'base']]
    expect(wellKnown({ resources: [{ ...entry, price: '$0.01' }] })).toEqual(rows)
    expect(wellKnown({ resources: [{ ...entry, price: '0.01' }] })).toEqual(rows)
    expect(wellKnown({ resources: [{ ...entry, amount: '10000' }] })).toEqual(rows)
    expect(wellKnown({ ...entry, price: '$0.01' })).toEqual(rows)
  })

  it('states a price as an object with currency, decimals and network', () => {
    const priced = (price: object) => wellKnown({ endpoints: [{ path: '/a', price }] })
    const price = { amount: '10000', currency: 'USDC', decimals: 6, network: 'eip155:8453' }
    expect(priced(price)).toEqual([['GET', '/a', 'x402', CENT, 'eip155:8453']])
    expect(priced({ ...price, amount: '0.01' })).toEqual([['GET', '/a', 'x402', CENT, 'eip155:8453']])
    expect(priced({ amount: '10000', currency: 'USDC' })).toEqual([['GET', '/a', 'x402', null, null]])
    expect(priced({ amount: '10000', decimals: 6 })).toEqual([['GET', '/a', 'x402', null, null]])
    expect(priced({ amount: 1, currency: 'USD' })).toEqual([['GET', '/a', 'x402', 1_000_000, null]])
    expect(priced({ value: '0.01', currency: 'USD' })).toEqual([['GET', '/a', 'x402', CENT, null]])
  })

  it.each(['payable_endpoints', 'paid_endpoints', 'paidEndpoints', 'apis', 'resources', 'x402Resources'])(
    'has its routes under %s',
    (name) => {
      const rows = [['POST', '/a', 'x402', CENT, null]]
      expect(wellKnown({ [name]: [{ path: '/a', method: 'POST', price: '$0.01' }] })).toEqual(rows)
      expect(wellKnown({ [name]: { 'POST /a': { price: '$0.01' } } })).toEqual(rows)
      expect(wellKnown({ [name]: { first: { path: '/a', method: 'POST', price: '$0.01' } } })).toEqual(rows)
    },
  )

  it('names its routes, with addresses and paths for values', () => {
    const endpoints = {
      quote: 'https://shop.example/v1/quote',
      trade: 'POST /v1/trade',
      note: 'ask us',
      docs: 'https://shop.example/docs',
    }
    expect(wellKnown({ endpoints, price_usd: 0.01, network: 'base' })).toEqual([
      ['GET', '/v1/quote', 'x402', CENT, 'base'],
      ['POST', '/v1/trade', 'x402', CENT, 'base'],
    ])
  })

  it('states a price in a field that says dollars, whatever stands beside it', () => {
    const rows = [['GET', '/x', 'x402', CENT, null]]
    const x402 = { protocols: ['x402'] }
    for (const info of [
      { pricingMode: 'fixed', priceUsd: 0.01 },
      { mode: 'fixed', price_usd: '0.01' },
      { price: { mode: 'fixed', usd: '0.01' } },
      { price: { amountUsd: 0.01 } },
      { price: 10_000, priceUSD: '$0.01' },
      { price: '0.01', feeUsd: '0.005' },
    ])
      expect(paid({ ...x402, ...info })).toEqual(rows)
    expect(paid({ protocols: ['mpp'], priceUsd: 0.01 })).toEqual([['GET', '/x', 'mpp', CENT, null]])
    for (const info of [
      { pricingMode: 'dynamic', priceUsd: 0.01 },
      { price: '0.02', priceUsd: 0.01 },
      { pricingMode: 'fixed', priceUsdc: 10_000 },
      { pricingMode: 'fixed', priceUsd: 0.01, unit: 'token' },
    ])
      expect(paid({ ...x402, ...info })).toEqual([['GET', '/x', 'x402', null, null]])
  })

  it('states ways to pay, and who is paid, by network', () => {
    const accepts = {
      base: { amount: '10000', asset: USDC_ON_BASE, payTo: WALLET },
      solana: { amount: '20000', asset: USDC_ON_SOLANA, payTo: SOLANA_WALLET },
    }
    const payTo = { base: WALLET, solana: SOLANA_WALLET }
    const stated = (document: object) =>
      parseWellKnown(document, { allow: [], base }).listings.map(({ network, price, payees }) => [
        network,
        price,
        ...payees.map(({ payee }) => payee),
      ])
    expect(stated({ resources: [{ path: '/a', accepts }] })).toEqual([
      ['base', CENT, WALLET],
      ['solana', 2 * CENT, SOLANA_WALLET],
    ])
    expect(stated({ resources: [{ path: '/a', price: '$0.01' }], networks: ['base', 'solana'], payTo })).toEqual([
      ['base', CENT, WALLET],
      ['solana', CENT, SOLANA_WALLET],
    ])
  })

  it('names a method in small letters, and several at once', () => {
    const [post, get] = [
      ['POST', '/a', 'x402', CENT, null],
      ['GET', '/a', 'x402', CENT, null],
    ]
    const priced = (resource: string) => wellKnown({ resources: [resource], price: '$0.01' })
    for (const written of ['post /a', 'Post /a', 'POST: /a', 'post https://shop.example/a'])
      expect(priced(written)).toEqual([post])
    for (const written of ['GET,POST /a', 'get | post /a', 'GET/POST /a']) expect(priced(written)).toEqual([get, post])
    expect(wellKnown({ endpoints: { 'post /a': { price: '$0.01' } } })).toEqual([post])
    expect(wellKnown({ resources: [{ path: '/a', method: 'GET, post', price: '$0.01' }] })).toEqual([get, post])
    expect(wellKnown({ endpoints: { '/a': 'see https://shop.example/docs' }, price: '$0.01' })).toEqual([get])
  })

  it('has a way to pay on the rail that this way names, wherever that is', () => {
    const x402 = { scheme: 'exact', network: 'base', amount: '10000', asset: USDC_ON_BASE, payTo: WALLET }
    const charge = { method: 'tempo', intent: 'charge', currency: USDC_ON_TEMPO, amount: '5000', recipient: WALLET }
    const listed = { network: 'tempo:4217', amount: '5000', asset: USDC_ON_TEMPO, payTo: WALLET }
    const entry = (terms: object) => wellKnown({ resources: [{ resource: '/a', ...terms }] })
    const [first, second] = [
      ['GET', '/a', 'x402', CENT, 'base'],
      ['GET', '/a', 'mpp', CENT / 2, 'tempo:4217'],
    ]
    for (const mpp of [
      charge,
      { protocol: 'mpp', ...charge },
      { rail: 'mpp', ...listed },
      { scheme: 'mpp', ...listed },
    ]) {
      expect(entry({ accepts: [x402, mpp] })).toEqual([first, second])
      expect(entry({ payment: [x402, mpp] })).toEqual([first, second])
      expect(entry({ accepts: [mpp] })).toEqual([second])
      expect(entry({ payment: mpp })).toEqual([second])
    }
    expect(entry({ x402: { price: '$0.01', network: 'base' }, mpp: charge })).toEqual([first, second])
    expect(entry({ mpp: charge })).toEqual([second])
    expect(entry({ price: '$0.01', payment: { protocol: 'mpp' } })).toEqual([['GET', '/a', 'mpp', CENT, null]])
    expect(entry({ price: '$0.01', network: 'base', intent: 'get the weather', mpp: false })).toEqual([first])
    const inBitcoin = { resources: [{ resource: '/a', payment: { protocol: 'L402', price: '$0.01' } }] }
    expect(parseWellKnown(inBitcoin, { allow: [], base }).refused).toMatchObject([{ reason: 'unknown_rail' }])
  })

  it('says once for all its routes what they cost and where', () => {
    const accepts = [{ scheme: 'exact', network: 'base', amount: '10000', asset: USDC_ON_BASE, payTo: WALLET }]
    expect(
      wellKnown({ accepts, resources: ['/a', { path: '/b', price: '$0.05' }, { path: '/c', price: 'soon' }] }),
    ).toEqual([
      ['GET', '/a', 'x402', CENT, 'base'],
      ['GET', '/b', 'x402', 50_000, 'base'],
      ['GET', '/c', 'x402', null, 'base'],
    ])
    expect(
      wellKnown({ price_usd: '0.01', chain: 'Base Sepolia', resources: ['/a', { path: '/b', priceUsd: 0 }] }),
    ).toEqual([
      ['GET', '/a', 'x402', CENT, 'Base Sepolia'],
      ['GET', '/b', 'x402', 0, 'Base Sepolia'],
    ])
  })

  it('has prices that vary, or are free, whatever the document says for the others', () => {
    const document = {
      price_usd: 0.01,
      resources: [
        { path: '/dynamic', price: { mode: 'dynamic', min: '0.01', max: '1.00' } },
        { path: '/range', minPrice: '0.02', maxPrice: '0.20' },
        { path: '/equal', minPrice: '0.02', maxPrice: 0.02 },
        { path: '/free', price: 'free' },
        { path: '/other', price_eur: 0.5 },
      ],
      free_endpoints: ['/health'],
    }
    expect(wellKnown(document).map(([, path, , price]) => [path, price])).toEqual([
      ['/dynamic', null],
      ['/range', null],
      ['/equal', 20_000],
      ['/free', 0],
      ['/other', null],
      ['/health', 0],
    ])
  })

  it.each([
    ['price_usd', 0.01, CENT],
    ['pricePerCall', '$0.01', CENT],
    ['cost_usdc', '0.01', CENT],
    ['defaultPrice', '$0.01', CENT],
    ['amountUsd', 1, 1_000_000],
    ['price', '$0.01 per request', CENT],
    ['price', '0.01 USDC', CENT],
    ['price', 10_000, null],
    ['price_cents', 1, null],
    ['price_micro_usdc', 10_000, CENT],
    ['amount_usdc_atomic', '10000', null],
    ['price_floor_usd', '0.01', null],
    ['monthlyPrice', '$9', null],
    ['price_eth', '0.01', null],
    ['feePayer', '7', null],
  ])('says %s: %j', (name, value, price) => {
    expect(wellKnown({ endpoints: [{ path: '/a', [name]: value }] })).toEqual([['GET', '/a', 'x402', price, null]])
  })

  it('lists what is accepted under another name', () => {
    const offer = { network: 'base', amount: '10000', asset: USDC_ON_BASE, payTo: WALLET }
    for (const name of ['accepts', 'paymentRequirements', 'payment_options']) {
      const rows = [['GET', '/a', 'x402', CENT, 'base']]
      expect(wellKnown({ endpoints: [{ path: '/a', [name]: [offer] }] })).toEqual(rows)
      expect(wellKnown({ endpoints: [{ path: '/a', payment: { [name]: [offer] } }] })).toEqual(rows)
    }
  })

  it('states what x402 accepts in base units, whatever currency stands beside', () => {
    const accept = { scheme: 'exact', network: 'base', payTo: WALLET }
    const priced = (more: object, around: object = {}) =>
      wellKnown({ ...around, endpoints: [{ path: '/a', accepts: [{ ...accept, ...more }] }] })[0]?.[3]
    for (const amount of [{ amount: '10000' }, { maxAmountRequired: '10000' }]) {
      expect(priced({ ...amount, currency: 'USD' })).toBeNull()
      expect(priced(amount, { currency: 'USD' })).toBeNull()
      expect(priced({ ...amount, currency: 'USD', asset: 'USDC' })).toBeNull()
      expect(priced({ ...amount, currency: 'USD', asset: USDC_ON_BASE })).toBe(CENT)
      expect(priced({ ...amount, asset: USDC_ON_BASE }, { currency: 'USD' })).toBe(CENT)
      expect(priced({ ...amount, currency: 'EUR', asset: USDC_ON_BASE })).toBeNull()
    }
    expect(priced({ price: '$0.01', currency: 'USD' })).toBe(CENT)
    expect(priced({ price: 1, currency: 'USD' })).toBe(1_000_000)
    const entry = { path: '/a', network: 'base', currency: 'USD', maxAmountRequired: '10000' }
    expect(wellKnown({ endpoints: [entry] })).toEqual([['GET', '/a', 'x402', null, 'base']])
    expect(wellKnown({ endpoints: [{ ...entry, asset: USDC_ON_BASE }] })).toEqual([['GET', '/a', 'x402', CENT, 'base']])
  })

  it('lists prices by path', () => {
    expect(wellKnown({ pricing: { 'GET /a': '$0.01', '/b': { amount: '0.02', currency: 'USDC' } } })).toEqual([
      ['GET', '/a', 'x402', CENT, null],
      ['GET', '/b', 'x402', 20_000, null],
    ])
  })

  it('gives each network its own decimals, and no price where they make it next to nothing', () => {
    const networks = {
      base: { asset: USDC_ON_BASE, payTo: WALLET },
      bsc: { asset: '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d' },
      polygon: { asset: '0x0000000000000000000000000000000000000001' },
    }
    expect(wellKnown({ networks, resources: [{ path: '/a', amount: '10000' }] })).toEqual([
      ['GET', '/a', 'x402', CENT, 'base'],
      ['GET', '/a', 'x402', null, 'bsc'],
      ['GET', '/a', 'x402', null, 'polygon'],
    ])
  })
})

describe('what is named only to say no', () => {
  it('is no network', () => {
    const [said, rows] = [{ endpoints: [{ path: '/a', price: '$0.01' }] }, [['GET', '/a', 'x402', CENT, 'base']]]
    for (const no of [false, null, { enabled: false, payTo: WALLET }]) {
      expect(wellKnown({ networks: { base: true, solana: no }, ...said })).toEqual(rows)
      expect(wellKnown({ endpoints: [{ path: '/a', price: { base: '$0.01', solana: no } }] })).toEqual(rows)
    }
    expect(wellKnown({ networks: ['base', { network: 'solana', enabled: false }], ...said })).toEqual(rows)
    const accept = { network: 'base', amount: '10000', asset: USDC_ON_BASE }
    const accepts = [accept, { ...accept, network: 'polygon', enabled: false }]
    expect(wellKnown({ endpoints: [{ path: '/a', accepts }] })).toEqual(rows)
    expect(paid({ price: '$0.01', protocols: ['x402'], accepts })).toEqual([['GET', '/x', 'x402', CENT, 'base']])
  })

  it('is no protocol', () => {
    for (const no of [false, null, { enabled: false }]) {
      const protocols = { x402: true, mpp: no }
      const rows = [['GET', '/x', 'x402', CENT, null]]
      expect(paid({ price: '$0.01', protocols })).toEqual(rows)
      expect(paid({ price: '$0.01', protocols: [{ x402: {} }, { mpp: no }] })).toEqual(rows)
      expect(wellKnown({ endpoints: [{ path: '/x', price: '$0.01', protocols }] })).toEqual(rows)
    }
    expect(paid({ x402: { price: '$0.01' }, mpp: { enabled: false } })).toEqual([['GET', '/x', 'x402', CENT, null]])
    const named = [{ name: 'x402' }, { name: 'mpp', enabled: false }]
    expect(paid({ price: '$0.01', protocols: named })).toEqual([['GET', '/x', 'x402', CENT, null]])
    expect(openapi({ 'x-payment-info': { price: '$0.01', protocols: { mpp: false } } }).refused).toMatchObject([
      { reason: 'bad_offer' },
    ])
  })
})

describe('x-payment-info', () => {
  it('names its protocols as texts, as keys or by name, one route each', () => {
    const price = { mode: 'fixed', currency: 'USD', amount: '0.05' }
    const rows = [['GET', '/x', 'x402', 50_000, null]]
    for (const protocols of [
      ['x402'],
      [{ name: 'x402', version: 2 }],
      [{ x402: {} }],
      { x402: { version: 2 } },
      [{ protocol: 'X402' }],
      [{ type: 'x402' }],
      'x402',
    ]) {
      expect(paid({ price, protocols })).toEqual(rows)
      expect(openapi({ 'x-payment-info': { price, protocols } }).refused).toEqual([])
    }
    expect(openapi({ 'x-payment-info': { price, protocols: [{ name: 'l402', version: 1 }] } }).refused).toEqual([
      { reason: 'unknown_rail', item: 'l402 GET https://shop.example/x' },
    ])
  })

  it('charges by x402 on several networks', () => {
    const info = { intent: 'charge', method: 'x402', amount: '0.005', currency: 'USDC', networks: ['base', 'solana'] }
    expect(paid(info)).toEqual([
      ['GET', '/x', 'x402', 5_000, 'base'],
      ['GET', '/x', 'x402', 5_000, 'solana'],
    ])
    expect(paid({ ...info, amount: '5000' }).map(([, , , price]) => price)).toEqual([null, null])
    expect(paid({ ...info, amount: '5000', decimals: 6 }).map(([, , , price]) => price)).toEqual([5_000, 5_000])
    expect(paid([info, { ...info, networks: ['polygon'] }])).toHaveLength(3)
  })

  it('states its terms by protocol, or an amount in the place of a price', () => {
    expect(paid({ x402: { price: '$0.01', network: 'base' } })).toEqual([['GET', '/x', 'x402', CENT, 'base']])
    expect(paid({ price: '$0.01', x402: { network: 'base' } })).toEqual([['GET', '/x', 'x402', CENT, 'base']])
    const protocols = ['x402']
    expect(paid({ protocols, amount: '0.01', currency: 'USDC' })).toEqual([['GET', '/x', 'x402', CENT, null]])
    expect(paid({ protocols, amount: '10000', currency: 'USDC' })).toEqual([['GET', '/x', 'x402', null, null]])
    expect(paid({ protocols, amount: '10000', asset: USDC_ON_BASE, network: 'base' })).toEqual([
      ['GET', '/x', 'x402', CENT, 'base'],
    ])
    expect(paid({ protocols, price: { amount: '10000', currency: 'USDC', decimals: 6 } })).toEqual([
      ['GET', '/x', 'x402', CENT, null],
    ])
    expect(paid({ protocols, price: { amount: '5', currency: 'USDC' } })).toEqual([['GET', '/x', 'x402', null, null]])
  })

  it('states a price beside its protocols as well-known documents do, wherever the money is named', () => {
    const [protocols, asset, network] = [['x402'], USDC_ON_BASE, 'base']
    const priced = (info: object) => paid({ protocols, ...info }).map(([, , , price]) => price)
    const accept = { network, asset, payTo: WALLET, maxAmountRequired: '10000' }
    const WETH = '0x4200000000000000000000000000000000000006'
    expect(priced({ price: { amount: '10000', asset, network } })).toEqual([CENT])
    expect(priced({ price: { amount: '10000' }, asset, network })).toEqual([CENT])
    expect(priced({ price: { amount: '10000', asset }, accepts: [{ network, payTo: WALLET }] })).toEqual([CENT])
    expect(priced({ price: { amount: '10000', currency: 'USD' }, decimals: 6 })).toEqual([CENT])
    expect(priced({ price: { amount: '0.01', asset, network } })).toEqual([CENT])
    expect(priced({ price: '0.01', asset, network, protocols: ['x402', 'mpp'] })).toEqual([CENT, CENT])
    // Dollars, or the smallest units of the asset?
    expect(priced({ price: '10000', asset, network })).toEqual([null])
    expect(priced({ price: 10_000, protocols: [{ x402: { network, asset, payTo: WALLET } }] })).toEqual([null])
    expect(priced({ price: '10000', accepts: [accept], protocols: ['x402', 'mpp'] })).toEqual([CENT, null])
    expect(priced({ price: 1, accepts: [{ ...accept, maxAmountRequired: '1000000' }] })).toEqual([1_000_000])
    expect(priced({ price: 1, protocols: [{ x402: { accepts: [accept] } }] })).toEqual([CENT])
    // Other money.
    expect(priced({ price: { amount: '0.01', asset: WETH }, network })).toEqual([null])
    expect(priced({ price: { amount: '0.01', asset: 'SOL' } })).toEqual([null])
    expect(priced({ price: '0.01', token: 'SOL' })).toEqual([null])
    expect(priced({ price: { amount: '0.01' }, currency: 'EUR' })).toEqual([null])
    expect(priced({ price: { mode: 'dynamic', min: '0.01', max: '0.01' }, asset: 'SOL' })).toEqual([null])
    // Plain dollars, however they are paid.
    const mpp = { method: 'tempo', intent: 'charge', currency: USDC_ON_TEMPO }
    expect(priced({ price: { amount: '1', currency: 'USD' }, protocols: [{ x402: {} }, { mpp }] })).toEqual([
      1_000_000, 1_000_000,
    ])
    expect(priced({ price: '0.01', protocols: [{ mpp: { ...mpp, currency: `0x20c0${'0'.repeat(36)}` } }] })).toEqual([
      CENT,
    ])
    expect(priced({ price: 1, network, payTo: WALLET })).toEqual([1_000_000])
  })

  it('says that a route is free', () => {
    for (const info of [{ type: 'free' }, { mode: 'free' }, { free: true }, { type: 'free', protocols: ['x402'] }]) {
      expect(paid(info)).toEqual([['GET', '/x', 'x402', 0, null]])
    }
    expect(paid({ price: { mode: 'free' }, protocols: ['x402'] })).toEqual([['GET', '/x', 'x402', 0, null]])
    expect(paid({ price: 'free', protocols: ['x402'] })).toEqual([['GET', '/x', 'x402', 0, null]])
  })

  it('is x402 by what only x402 has, where no protocol is named', () => {
    expect(paid({ price: '$0.01', network: 'base', payTo: WALLET })).toEqual([['GET', '/x', 'x402', CENT, 'base']])
    expect(paid({ accepts: [{ network: 'base', amount: '10000', asset: USDC_ON_BASE }] })).toEqual([
      ['GET', '/x', 'x402', CENT, 'base'],
    ])
    expect(openapi({ 'x-payment-info': { price: '$0.01' } }).refused).toMatchObject([{ reason: 'bad_offer' }])
  })

  it('holds for every operation of a path where it stands there', () => {
    const info = { protocols: ['x402'], price: '$0.01' }
    expect(rowsOf(openapi({}, { 'x-payment-info': info }))).toEqual([['GET', '/x', 'x402', CENT, null]])
  })

  it.each([
    { 'x-pricing': { price: '0.01', supportedPaymentMethods: ['x402'] } },
    { 'x-price': '$0.01' },
    { 'x-pricing-usd': 0.01 },
    { 'x-payment-required': true },
    { 'x-agentcash-auth': { mode: 'paid' } },
  ])('is missing where a seller has words of its own: %j', (operation) => {
    expect(openapi(operation).refused).toMatchObject([{ reason: 'private_dialect' }])
    expect(openapi({ 'x-agentcash-auth': { mode: 'unprotected' } }).refused).toMatchObject([{ reason: 'not_paid' }])
  })
})
