import { describe, expect, it } from 'vitest'
import { parseOpenapi } from './openapi.ts'
import { SOLANA, USDC_ON_BASE, USDC_ON_TEMPO, WALLET } from './testing/accounts.ts'
import { openapiDocument } from './testing/openapi.ts'

const base = 'https://shop.example/openapi.json'
const parse = (document: unknown, at = base) => parseOpenapi(document, { allow: [], base: at })
/** A document with one paid operation. */
const paid = (info: unknown, more: object = {}) =>
  parse({ openapi: '3.1.0', paths: { '/x': { get: { 'x-payment-info': info } } }, ...more })
const rows = (found: ReturnType<typeof parse>) =>
  found.listings.map(({ rail, price, network }) => [rail, price, network])
const urls = (found: ReturnType<typeof parse>) =>
  found.listings.map(({ address }) => `${address.scheme}://${address.host}${address.path}`)
const cash = { price: { mode: 'fixed', currency: 'USD', amount: '0.05' }, protocols: ['x402'] }

describe('parseOpenapi', () => {
  it('reads the three dialects on both rails and counts what is not paid', () => {
    const found = parse(openapiDocument)
    expect(
      found.listings.map(({ method, address, rail, price, network }) => [method, address.path, rail, price, network]),
    ).toEqual([
      ['GET', '/api/draft/{id}', 'mpp', 10_000, 'tempo:4217'],
      ['POST', '/api/cash', 'x402', 50_000, null],
      ['POST', '/api/cash', 'mpp', 50_000, 'tempo:4217'],
      ['GET', '/api/wild', 'x402', null, 'eip155:8453'],
    ])
    expect(found.refused).toEqual([{ reason: 'not_paid', item: 'GET https://shop.example/api/health' }])
    expect(found.seen).toBe(4)
  })

  it.each([
    ['http://localhost:4022', 'https://shop.example/x'],
    ['http://127.0.0.1:8000/', 'https://shop.example/x'],
    ['http://0.0.0.0:3000', 'https://shop.example/x'],
    ['http://[::1]:3000', 'https://shop.example/x'],
  ])('takes the address of the document for %s, where it was written', (url, address) => {
    expect(urls(paid(cash, { servers: [{ url }] }))).toEqual([address])
    expect(urls(paid(cash, { servers: [{ url }, { url: 'https://api.shop.example/v1' }] }))).toEqual([
      'https://api.shop.example/v1/x',
    ])
    const allowed = parseOpenapi(
      { openapi: '3.1.0', servers: [{ url }], paths: { '/x': { get: { 'x-payment-info': cash } } } },
      { allow: ['localhost'], base: 'http://localhost:4022/openapi.json' },
    )
    if (url.includes('localhost')) expect(urls(allowed)).toEqual(['http://localhost:4022/x'])
  })

  it('does not guess what stands below such an address elsewhere', () => {
    expect(paid(cash, { servers: [{ url: 'http://localhost:4022/api' }] }).refused[0]?.reason).toBe('bad_address')
  })

  it('takes nothing for free that has a price', () => {
    expect(rows(paid({ free: true, price: '0.05', protocols: ['x402'] }))).toEqual([['x402', null, null]])
    expect(rows(paid({ price: { mode: 'free', amount: '0.05' }, protocols: ['x402'] }))).toEqual([['x402', null, null]])
    expect(rows(paid({ free: true, price: '0', protocols: ['x402'] }))).toEqual([['x402', 0, null]])
    expect(rows(paid({ type: 'free', price: '$0.05' }))).toEqual([])
  })

  it('reads the draft flat, in a list, with an unknown amount and in base units only', () => {
    const offer = { intent: 'charge', method: 'tempo', currency: USDC_ON_TEMPO, amount: '250000' }
    expect(rows(paid(offer))).toEqual([['mpp', 250_000, 'tempo:4217']])
    expect(rows(paid([offer, { ...offer, amount: null }]))).toEqual([
      ['mpp', 250_000, 'tempo:4217'],
      ['mpp', null, 'tempo:4217'],
    ])
    expect(rows(paid({ offers: [{ ...offer, amount: '0.25' }] }))).toEqual([['mpp', null, 'tempo:4217']])
  })

  it('reads the ways to pay of x402 beside what stands under mpp', () => {
    const mpp = { intent: 'charge', method: 'tempo', currency: USDC_ON_TEMPO, amount: '5000' }
    const accepts = [{ scheme: 'exact', network: 'base', amount: '10000', asset: USDC_ON_BASE, payTo: WALLET }]
    const both = [
      ['x402', 10_000, 'base'],
      ['mpp', 5_000, 'tempo:4217'],
    ]
    expect(rows(paid({ accepts, mpp }))).toEqual(both)
    expect(rows(paid({ x402: { accepts }, mpp }))).toEqual(both)
    expect(rows(paid({ accepts: [...accepts, mpp] }))).toEqual(both)
    expect(rows(paid({ mpp }))).toEqual(both.slice(1))
  })

  it('keeps dollars, and not the main network, where mpp names another chain or one that cannot be read', () => {
    const on = (chainId: unknown) =>
      rows(paid({ ...cash, protocols: [{ mpp: { method: 'tempo', currency: USDC_ON_TEMPO, chainId } }] }))
    expect([4217, 42_431, 'x'].map(on)).toEqual([
      [['mpp', 50_000, 'tempo:4217']],
      [['mpp', 50_000, 'tempo:42431']],
      [['mpp', 50_000, null]],
    ])
  })

  it('takes x402 as the method of an offer, with a stated dollar price or base units of a known asset', () => {
    const offers = [
      { method: 'x402', network: 'eip155:8453', asset: 'USDC', advisoryPriceUsd: 0.01 },
      { method: 'x402', network: SOLANA, asset: 'USDC' },
      { method: 'x402', network: 'base', currency: USDC_ON_BASE, amount: '5000', payTo: WALLET },
    ]
    const found = paid({ offers })
    expect(rows(found)).toEqual([
      ['x402', 10_000, 'eip155:8453'],
      ['x402', null, SOLANA],
      ['x402', 5_000, 'base'],
    ])
    expect(found.listings[2]?.payees).toEqual([{ network: 'base', payee: WALLET, asset: USDC_ON_BASE }])
  })

  it('reads dollars as the seller wrote them, and a range only where it has no width', () => {
    expect(rows(paid({ pricingMode: 'fixed', price: '$0.01', protocols: ['x402'] }))).toEqual([['x402', 10_000, null]])
    expect(rows(paid({ price: 1, protocols: ['mpp'] }))).toEqual([['mpp', 1_000_000, null]])
    const range = { pricingMode: 'range', price: '0.10', minPrice: '0.10', maxPrice: '1000.00', protocols: ['x402'] }
    expect(rows(paid(range))).toEqual([['x402', null, null]])
    expect(rows(paid({ ...range, maxPrice: 0.1 }))).toEqual([['x402', 100_000, null]])
    expect(rows(paid({ ...cash, price: { mode: 'dynamic', currency: 'USD', min: '0', max: '0.10' } }))).toEqual([
      ['x402', null, null],
    ])
    expect(rows(paid({ ...cash, price: { mode: 'fixed', currency: 'EUR', amount: '0.05' } }))).toEqual([
      ['x402', null, null],
    ])
  })

  it('takes networks and payees from the operation, else from what the document accepts', () => {
    const accepts = [{ scheme: 'exact', network: 'eip155:43114', payTo: WALLET }]
    expect(paid(cash, { 'x-payment-accepts': accepts }).listings).toMatchObject([
      { price: 50_000, network: 'eip155:43114', payees: [{ payee: WALLET }] },
    ])
    expect(
      rows(paid({ ...cash, protocols: [{ x402: { network: 'base' } }] }, { 'x-payment-accepts': accepts })),
    ).toEqual([['x402', 50_000, 'base']])
  })

  it('puts the nearest server before the path, relative ones and variables included', () => {
    const at = (servers: unknown, address = base) =>
      urls(parse({ paths: { '/x/{id}': { get: { 'x-payment-info': cash } } }, servers }, address))
    expect(at(undefined)).toEqual(['https://shop.example/x/{id}'])
    expect(at([{ url: '/' }])).toEqual(['https://shop.example/x/{id}'])
    expect(at([{ url: 'v2' }], 'https://shop.example/docs/openapi.json')).toEqual([
      'https://shop.example/docs/v2/x/{id}',
    ])
    expect(at([{ url: '../v2/' }], 'https://shop.example/docs/openapi.json')).toEqual([
      'https://shop.example/v2/x/{id}',
    ])
    expect(at([{ url: '//api.shop.example/v3' }])).toEqual(['https://api.shop.example/v3/x/{id}'])
    const filled = (url: string, value: unknown) => at([{ url, variables: { v: { default: value } } }])
    expect(filled('https://shop.example/v{v}', 2)).toEqual(['https://shop.example/v2/x/{id}'])
    expect(filled('https://shop.example/{v}', '')).toEqual(['https://shop.example/x/{id}'])
    expect(at([{ url: 'https://{where}.shop.example/{v}', variables: { where: { default: 'eu' } } }])).toEqual([
      'https://eu.shop.example/{v}/x/{id}',
    ])
    const operation = { 'x-payment-info': cash, servers: [{ url: '/of-operation' }] }
    const paths = { '/a': { servers: [{ url: '/of-path' }], get: operation, post: { 'x-payment-info': cash } } }
    expect(urls(parse({ servers: [{ url: '/of-document' }], paths }))).toEqual([
      'https://shop.example/of-operation/a',
      'https://shop.example/of-path/a',
    ])
  })

  it('lets a document speak for its own host only, and picks its own among several servers', () => {
    expect(paid(cash, { servers: [{ url: 'https://victim.example' }] })).toMatchObject({
      listings: [],
      refused: [{ reason: 'foreign_host', item: 'https://victim.example/x' }],
    })
    expect(
      urls(paid(cash, { servers: [{ url: 'https://staging.shop.example' }, { url: 'https://api.shop.example' }] })),
    ).toEqual(['https://api.shop.example/x'])
    const dev = [{ url: 'https://stage.shop.dev' }, { url: 'https://api.shop.dev' }]
    const atDev = { servers: dev, paths: { '/x': { get: { 'x-payment-info': cash } } } }
    expect(urls(parse(atDev, 'https://shop.dev/openapi.json'))).toEqual(['https://api.shop.dev/x'])
    const described = [{ url: '/sandbox', description: 'For trials: sandbox' }, { url: '/v1' }]
    expect(urls(paid(cash, { servers: described }))).toEqual(['https://shop.example/v1/x'])
    expect(urls(paid(cash, { servers: [{ url: 'https://dev.shop.example' }] }))).toEqual(['https://dev.shop.example/x'])
    expect(
      urls(paid(cash, { servers: [{ url: 'http://localhost:3000' }, { url: 'https://api.shop.example' }] })),
    ).toEqual(['https://api.shop.example/x'])
  })

  it('counts unreadable terms, other protocols, private fields and methods that are no route', () => {
    const paths = {
      '/a': { get: { 'x-payment-info': 'soon' } },
      '/b': { get: { 'x-payment-info': { price: '1.00', protocols: ['l402'] } } },
      '/c': { get: { 'x-price': '$0.01' } },
      '/d': { head: { 'x-payment-info': cash } },
      '/e': null,
    }
    expect(parse({ paths }).refused.map(({ reason }) => reason)).toEqual([
      'bad_offer',
      'unknown_rail',
      'private_dialect',
      'bad_method',
    ])
  })

  it('follows references to path items inside the document, and refuses others by name', () => {
    const get = { 'x-payment-info': cash }
    const paths = {
      '/a': { $ref: '#/components/pathItems/a' },
      '/b': { $ref: '#/components/pathItems/~1v1~1%7Bid%7D', post: get },
      '/c': { $ref: '#/paths/~1a' },
      '/else': { $ref: 'https://shop.example/paths.json#/a' },
      '/none': { $ref: '#/components/pathItems/none' },
      '/round': { $ref: '#/paths/~1round' },
    }
    const found = parse({ openapi: '3.1.0', paths, components: { pathItems: { a: { get }, '/v1/{id}': { get } } } })
    expect(found.listings.map(({ method, address }) => `${method} ${address.path}`)).toEqual([
      'GET /a',
      'GET /b',
      'POST /b',
      'GET /c',
    ])
    expect(found.refused).toEqual([
      { reason: 'bad_item', item: '/else https://shop.example/paths.json#/a' },
      { reason: 'bad_item', item: '/none #/components/pathItems/none' },
      { reason: 'bad_item', item: '/round #/paths/~1round' },
    ])
    expect(found.seen).toBe(7)
  })

  it('does not read one place again and again for as many references as a stranger writes', () => {
    const paths = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`/${n}`, { $ref: '#/item' }]))
    const found = parse({ openapi: '3.1.0', paths, item: { get: { 'x-payment-info': cash } } })
    expect(found.listings).toHaveLength(10)
    expect(found.refused.map(({ reason }) => reason)).toEqual(Array.from({ length: 20 }, () => 'bad_item'))
  })

  it('refuses what is not an OpenAPI 3 document', () => {
    for (const document of [null, [], {}, { paths: [] }, { swagger: '2.0', paths: {} }]) {
      expect(parse(document).refused.map(({ reason }) => reason)).toEqual(['bad_document'])
    }
  })
})
