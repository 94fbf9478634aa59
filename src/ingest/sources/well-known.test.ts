import { describe, expect, it } from 'vitest'
import {
  SOLANA,
  SOLANA_WALLET,
  USDC_ON_BASE,
  USDC_ON_BASE_SEPOLIA,
  USDC_ON_SOLANA,
  WALLET,
} from './testing/accounts.ts'
import { openapiDocument } from './testing/openapi.ts'
import { parseWellKnown } from './well-known.ts'

const parse = (document: unknown, base = 'https://shop.example/.well-known/x402') =>
  parseWellKnown(document, { allow: [], base })
const rows = (found: ReturnType<typeof parse>) =>
  found.listings.map(({ method, methodStated, address, price, network }) => [
    `${method}${methodStated ? '' : '?'}`,
    `${address.host}${address.path}`,
    price,
    network,
  ])

describe('parseWellKnown', () => {
  it('reads a list of addresses, on the host itself and below it', () => {
    const resources = [
      'https://shop.example/a',
      'https://api.shop.example/v1/b',
      'https://other.example/c',
      'GET /d/:id',
    ]
    const found = parse({ version: 1, resources })
    expect(rows(found)).toEqual([
      ['GET?', 'shop.example/a', null, null],
      ['GET?', 'api.shop.example/v1/b', null, null],
      ['GET', 'shop.example/d/:id', null, null],
    ])
    expect(found.refused).toEqual([{ reason: 'foreign_host', item: 'https://other.example/c' }])
    expect(rows(parse(resources))).toHaveLength(3)
  })

  it('invents no route from an empty text, another scheme or a host without one', () => {
    const own = ['shop.example/a', 'API.shop.example/b', 'POST shop.example/c', 'shop.example:8443/d', 'shop.example']
    expect(rows(parse({ resources: own }))).toEqual([
      ['GET?', 'shop.example/a', null, null],
      ['GET?', 'api.shop.example/b', null, null],
      ['POST', 'shop.example/c', null, null],
      ['GET?', 'shop.example:8443/d', null, null],
      ['GET?', 'shop.example', null, null],
    ])
    const paths = ['v1/x', 'v1.0/x', 'openapi.json', 'v1/models/gpt:batch', ':id/x', '{id}/x', '?q=1', 'a/https://b']
    expect(rows(parse({ resources: paths }))).toEqual(paths.map((path) => ['GET?', `shop.example/${path}`, null, null]))
    const others = ['wss://shop.example/s', 'mcp://tool/x', 'mailto:a@b.example', 'ipfs://Qm', 'https:/x', 'POST:/x']
    const hosts = ['victim.com/a', 'api.victim.co.uk', 'localhost:3000/a', 'victim.dev?q=1', 'GET victim.io:8080/a']
    const refused = parse({ resources: ['', ' ', '#top', ...others, ...hosts] })
    expect(rows(refused)).toEqual([])
    expect(refused.seen).toBe(14)
    expect(refused.refused.map(({ reason }) => reason)).toEqual([
      ...['bad_item', 'bad_item', 'bad_item'],
      ...[...others, ...hosts].map(() => 'bad_address'),
    ])
    const priced = [
      { url: 'wss://shop.example/s', price: '$0.01' },
      { path: 'shop.example/a', price: '$0.01' },
    ]
    expect(rows(parse({ resources: priced }))).toEqual([['GET?', 'shop.example/a', 10_000, null]])
  })

  it('reads endpoints with a price beside network and payee', () => {
    const endpoint = { path: '/scan', method: 'GET', price: '0.018', currency: 'USDC', network: 'base', payTo: WALLET }
    const found = parse({ version: '1.0', endpoints: [endpoint] })
    expect(rows(found)).toEqual([['GET', 'shop.example/scan', 18_000, 'base']])
    expect(found.listings[0]?.payees).toMatchObject([{ network: 'base', payee: WALLET }])
  })

  it('reads endpoints whose terms sit in a payment object', () => {
    const payment = { amount: '0.001', token: 'USDC', network: 'base' }
    expect(rows(parse({ endpoints: [{ path: '/gas', method: 'GET', payment }] }))).toEqual([
      ['GET', 'shop.example/gas', 1_000, 'base'],
    ])
  })

  it('reads network, payee and server stated once for the whole document', () => {
    const document = {
      version: 2,
      resourceServerUrl: 'https://data.shop.example/',
      network: 'eip155:8453',
      payTo: WALLET,
      endpoints: [{ method: 'GET', path: '/events/:id', price: '$0.01' }],
    }
    const found = parse(document)
    expect(rows(found)).toEqual([['GET', 'data.shop.example/events/:id', 10_000, 'eip155:8453']])
    expect(found.listings[0]?.payees).toEqual([{ network: 'eip155:8453', payee: WALLET, asset: null }])
  })

  it('reads networks by version of x402, and who is paid on each of a list of them', () => {
    const resources = [{ path: '/a', price: '$0.01' }]
    const read = (networks: unknown) =>
      parse({ resources, networks }).listings.map(({ network, price, payees }) => [network, price, payees[0]?.payee])
    expect(read({ 1: 'base', 2: 'eip155:8453' })).toEqual([['base', 10_000, undefined]])
    for (const said of ['1', '10', 'eip155:8453', {}])
      expect(read({ base: said })).toEqual([['base', 10_000, undefined]])
    expect(read({ 8453: {}, 137: true })).toEqual([
      ['137', 10_000, undefined],
      ['8453', 10_000, undefined],
    ])
    const listed = [
      { id: 'eip155:8453', asset: USDC_ON_BASE, payment_address: WALLET },
      { id: SOLANA, name: 'Solana', payment_address: SOLANA_WALLET },
      { network: 'polygon', payTo: false },
    ]
    expect(read(listed)).toEqual([
      ['eip155:8453', 10_000, WALLET],
      [SOLANA, 10_000, SOLANA_WALLET],
      ['polygon', 10_000, undefined],
    ])
  })

  it('reads payees and assets by network, and prices that say dollars', () => {
    const document = {
      networks: ['eip155:8453', SOLANA],
      payToByNetwork: { 'eip155:8453': WALLET, [SOLANA]: SOLANA_WALLET },
      acceptsAsset: { 'eip155:8453': USDC_ON_BASE, [SOLANA]: USDC_ON_SOLANA },
      resources: [
        { resource: '/v1/join', price_usd: 0 },
        { resource: '/v1/levels', price_usd: 0.001 },
      ],
    }
    const found = parse(document)
    expect(rows(found).map(([, , price, network]) => [price, network])).toEqual([
      [0, 'eip155:8453'],
      [0, SOLANA],
      [1_000, 'eip155:8453'],
      [1_000, SOLANA],
    ])
    expect(found.listings[3]?.payees).toEqual([{ network: SOLANA, payee: SOLANA_WALLET, asset: USDC_ON_SOLANA }])
  })

  it('reads resources with accepts, the asset by symbol and address', () => {
    const accept = {
      scheme: 'exact',
      network: 'base-sepolia',
      asset: 'USDC',
      assetAddress: USDC_ON_BASE_SEPOLIA,
      payTo: WALLET,
    }
    const resource = {
      resource: 'POST /rates',
      price: '$0.003',
      accepts: [
        { ...accept, maxAmountRequired: '3000' },
        { scheme: 'exact', network: 'keeta:main', asset: 'USDC', payTo: WALLET, maxAmountRequired: '3000' },
      ],
    }
    expect(rows(parse({ x402Version: 1, resources: [resource] }))).toEqual([
      ['POST', 'shop.example/rates', 3_000, 'base-sepolia'],
      ['POST', 'shop.example/rates', 3_000, 'keeta:main'],
    ])
  })

  it('reads endpoints keyed by their path', () => {
    const accept = { network: 'base', asset: USDC_ON_BASE, payTo: WALLET, maxAmountRequired: '100000' }
    const document = {
      serviceUrl: 'https://api.shop.example',
      endpoints: {
        '/signal': { method: 'POST', price: '0.10', accepts: [accept] },
        'GET /free': { price: 0 },
        note: {},
      },
    }
    expect(rows(parse(document))).toEqual([
      ['POST', 'api.shop.example/signal', 100_000, 'base'],
      ['GET', 'api.shop.example/free', 0, null],
    ])
  })

  it('reads products with full addresses, and services with routes inside', () => {
    const document = {
      featuredProducts: [
        {
          name: 'Scanner',
          endpoint: 'https://shop.example/scan',
          price: '0.01',
          asset: 'USDC',
          network: 'eip155:8453',
        },
      ],
      serviceManifests: [{ url: 'https://shop.example/.well-known/x402' }],
      services: [
        {
          name: 'Maps',
          baseUrl: 'https://maps.shop.example',
          network: 'base',
          endpoints: ['/tile', { path: '/way', methods: ['GET', 'POST'] }],
        },
        { name: 'Talk only', baseUrl: 'https://talk.shop.example', priceRange: '$0.001–$0.01 per request' },
      ],
    }
    const found = parse(document)
    expect(rows(found)).toEqual([
      ['GET?', 'maps.shop.example/tile', null, 'base'],
      ['GET', 'maps.shop.example/way', null, 'base'],
      ['POST', 'maps.shop.example/way', null, 'base'],
      ['GET?', 'shop.example/scan', 10_000, 'eip155:8453'],
    ])
    expect(found.refused.map(({ reason }) => reason)).toEqual(['no_route'])
  })

  it('reads tiers that hold bare paths; a cost in a currency of unknown value is no price', () => {
    const document = {
      endpoint: 'https://shop.example',
      pricing: {
        scout: { cost_rlusd: 0, endpoints: ['/assets'] },
        investor: { cost_rlusd_per_call: 0.15, endpoints: ['/assets/{id}/valuation'] },
        dollars: { cost_usd: 0.2, endpoints: ['/proof'] },
      },
    }
    expect(rows(parse(document)).map(([, path, price]) => [path, price])).toEqual([
      ['shop.example/assets', 0],
      ['shop.example/assets/{id}/valuation', null],
      ['shop.example/proof', 200_000],
    ])
  })

  it('reads an OpenAPI document that is served there', () => {
    expect(parse(openapiDocument).listings).toHaveLength(4)
  })

  it('gives ownership proofs as data, for the origin of the document and of the routes it lists', () => {
    const proof = `0x${'ab'.repeat(65)}`
    const found = parse({ resources: ['https://api.shop.example/a'], ownershipProofs: [proof, 'no', 7] })
    expect(found.proofs).toEqual([
      { proof, origin: 'https://shop.example' },
      { proof, origin: 'https://api.shop.example' },
    ])
    expect(found.refused.map(({ reason }) => reason)).toEqual(['bad_item', 'bad_item'])
    const closed = parse({ accepts_payment: false, ownershipProofs: [proof] })
    expect(closed.proofs).toEqual([{ proof, origin: 'https://shop.example' }])
  })

  it('takes an empty list for an answer', () => {
    for (const empty of [{ resources: [] }, { x402: { endpoints: {} } }, { version: 1, resources: [], routes: {} }]) {
      expect(parse(empty)).toMatchObject({ seen: 0, listings: [], refused: [] })
    }
  })

  it('says so when a document names no route at all', () => {
    expect(parse({ name: 'Shop', links: {} }).refused).toEqual([{ reason: 'no_route', item: 'Shop' }])
    for (const other of [
      { ok: true },
      [],
      { resources: { note: 'soon' } },
      { resources: [], endpoints: { note: {} } },
    ]) {
      expect(parse(other).refused.map(({ reason }) => reason)).toEqual(['no_route'])
    }
    expect(parse('soon').refused.map(({ reason }) => reason)).toEqual(['bad_document'])
  })

  it('takes the address of the document for one where it was written', () => {
    const found = parseWellKnown(
      { baseUrl: 'http://localhost:3000', endpoints: [{ path: '/a', price: '$0.01' }] },
      { allow: [], base: 'https://shop.example/.well-known/x402' },
    )
    expect(found.listings.map(({ address }) => `${address.scheme}://${address.host}${address.path}`)).toEqual([
      'https://shop.example/a',
    ])
  })

  it.each([
    { extensions: { bazaar: { info: { input: { type: 'http', method: 'POST' } } } } },
    { outputSchema: { input: { type: 'http', method: 'POST' } } },
    { input: { type: 'http', method: 'POST' } },
    { accepts: [{ network: 'base', outputSchema: { input: { method: 'POST' } } }] },
  ])('takes the method from the description of the input: %j', (said) => {
    const found = parseWellKnown(
      { resources: [{ url: 'https://shop.example/a', price: '$0.01', ...said }] },
      { allow: [], base: 'https://shop.example/.well-known/x402' },
    )
    expect(found.listings.map(({ method, methodStated }) => [method, methodStated])).toEqual([['POST', true]])
  })
})
