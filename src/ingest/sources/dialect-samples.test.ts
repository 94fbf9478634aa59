import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { orNoData } from '../../domain/count.ts'
import { formatPrice } from '../../domain/money/price.ts'
import type { Found } from '../found.ts'
import { type DialectSample, READ_ANEW } from '../testing/dialect-samples.ts'
import { bazaarPaging, parseBazaar } from './bazaar.ts'
import { parseOpenapi } from './openapi.ts'
import { USDC_ON_BASE, USDC_ON_TEMPO, WALLET } from './testing/accounts.ts'
import { parseWellKnown } from './well-known.ts'

const context = { allow: [], base: 'https://shop.example/.well-known/x402' }

const PARSERS: Readonly<Record<DialectSample['source'], (document: unknown) => Found>> = {
  bazaar: (document) => parseBazaar(document, context),
  openapi: (operation) => parseOpenapi({ openapi: '3.1.0', paths: { '/x': { get: operation } } }, context),
  'well-known': (document) => parseWellKnown(document, context),
}

function givenBy(source: DialectSample['source'], document: unknown): string[] {
  const { listings, refused } = PARSERS[source](document)
  return [
    ...listings.map(({ method, address, rail, price, network }) =>
      [method, address.path, rail, orNoData(price === null ? null : formatPrice(price)), orNoData(network)].join(' '),
    ),
    ...refused.map(({ reason }) => `refused ${reason}`),
  ]
}

describe('a shape that was not read before', () => {
  it.each(READ_ANEW.map((sample) => [sample.source, sample.what, sample] as const))(
    'is read: %s, %s',
    (_, __, sample) => {
      expect(givenBy(sample.source, sample.document)).toEqual(sample.gives)
      expect(sample.gives).not.toEqual(sample.before)
    },
  )

  it('stands in docs/sources.md beside what it gave before', () => {
    const page = 'docs/sources.md'
    const [start, end] = [
      '<!-- shapes read anew: `UPDATE_TABLES=1 npx vitest run src/ingest/sources` -->\n',
      '<!-- end',
    ]
    const [before = '', rest = ''] = readFileSync(page, 'utf8').split(start)
    const cell = (rows: readonly string[]): string => rows.join('<br>')
    const table = [
      '| Source | Shape | Before | After |',
      '|---|---|---|---|',
      ...READ_ANEW.map((one) => `| ${one.source} | ${one.what} | ${cell(one.before)} | ${cell(one.gives)} |`),
      '',
    ].join('\n')
    const written = `${before}${start}${table}${rest.slice(rest.indexOf(end))}`
    if (process.env.UPDATE_TABLES) writeFileSync(page, written)
    expect(readFileSync(page, 'utf8')).toBe(written)
  })
})

const at = (entry: object): object => ({ endpoints: [{ path: '/a', ...entry }] })
const PRICED = ['GET /a x402 0.010000 no data']
const UNPRICED_ON_TEMPO = ['GET /x mpp no data tempo:4217']
const charge = { intent: 'charge', method: 'tempo', amount: '10000', currency: USDC_ON_TEMPO }
const tempo = { method: 'tempo', currency: USDC_ON_TEMPO }
const acceptOf = (network: string): object => ({ scheme: 'exact', network, payTo: WALLET })
const UNPRICED = ['GET /a x402 no data no data']

describe('a neighbour of such a shape', () => {
  it.each([
    [at({ price: 'US$0.01' }), PRICED],
    [at({ price: '$1,000.00' }), ['GET /a x402 1000.000000 no data']],
    [at({ price: '0.01 USD/call' }), PRICED],
    [at({ price: '$0.01', original_price: '$0.05' }), PRICED],
    [at({ fee: '$0.001', price: '$0.01' }), PRICED],
    [at({ price: '$0.01', price_usd: 0.01 }), PRICED],
    [at({ price: { amount: '10000', currency: 'USDC', decimals: '6' } }), PRICED],
    [at({ price: '0.01', priceCurrency: 'USD' }), PRICED],
    [at({ price: '0.01', currency: 'USD', payment_asset: 'ETH', coin: 'BTC' }), PRICED],
    [at({ price: '0.01', payment_asset: 'USDC' }), PRICED],
    [at({ price: '$0.01', unit: 'USD per API call' }), PRICED],
    [at({ price: { value: '0.01', unit: 'USDC' }, per: 'request' }), PRICED],
    [at({ price: { amount: '0.01', currency: 'USD', unitType: 'perRequest' } }), PRICED],
    [at({ amount_usdc: '0.01', decimals: 6 }), PRICED],
    [at({ price: '$0.01', billing: 'pay-per-call', model: 'grok-3', per_unit: 'call' }), PRICED],
    [at({ pricing: { model: 'per_request', price: '$0.01' } }), PRICED],
    // What one call buys may last: it is paid by that call.
    [at({ price_usd: 9, interval: 'month' }), ['GET /a x402 9.000000 no data']],
    [at({ price: '$0.01', network: 'base, polygon' }), ['GET /a x402 0.010000 base', 'GET /a x402 0.010000 polygon']],
    [at({ price: '$0.01', network: 'Base (8453)' }), ['GET /a x402 0.010000 Base (8453)']],
    [
      { paid_endpoints: { 'GET /a': '0.01 USDC', '/b': 'Tells the weather' } },
      [...PRICED, 'GET /b x402 no data no data'],
    ],
    [{ service: { endpoints: [{ path: '/a', price: '$0.01' }] } }, PRICED],
    [{ endpoints: [{ id: 'quote', path: '/a' }], prices: { quote: '$0.01' } }, PRICED],
    [{ resources: [{ path: '/a', capabilities: ['fast'], tools: [{ path: '/b' }], price: '$0.01' }] }, PRICED],
    [{ facilitator: { endpoints: { verify: '/verify' } }, price_usd: 0.01 }, ['refused no_route']],
    // What is said of each protocol around a route holds where the route says nothing nearer.
    [
      { protocols: [{ x402: { network: 'base' } }, { mpp: tempo }], ...at({ price: '$0.01', protocol: 'x402' }) },
      ['GET /a x402 0.010000 base'],
    ],
    [
      { protocols: [{ x402: { network: 'base' } }, { mpp: tempo }], ...at({ price: '$0.01', protocol: 'mpp' }) },
      ['GET /a mpp 0.010000 tempo:4217'],
    ],
    [
      { protocols: { mpp: tempo }, ...at({ price: '$0.01', protocols: ['x402', 'mpp'] }) },
      ['GET /a x402 0.010000 no data', 'GET /a mpp 0.010000 tempo:4217'],
    ],
    [
      { protocols: { x402: { network: 'base' }, mpp: tempo }, ...at({ accepts: [acceptOf('solana')] }) },
      ['GET /a x402 no data solana'],
    ],
    [
      { network: 'polygon', protocols: { x402: { network: 'base' }, mpp: tempo }, ...at({ price: '$0.01' }) },
      ['GET /a x402 0.010000 base', 'GET /a mpp 0.010000 tempo:4217'],
    ],
    [
      {
        protocols: { x402: { network: 'base' }, mpp: tempo },
        services: [{ protocol: 'mpp', ...at({ price: '$0.01' }) }, { endpoints: [{ path: '/b', network: 'solana' }] }],
      },
      ['GET /a mpp 0.010000 tempo:4217', 'GET /b x402 no data solana', 'GET /b mpp no data tempo:4217'],
    ],
    [{ protocols: { x402: { network: 'base' } }, free_endpoints: [{ path: '/a' }] }, ['GET /a x402 0.000000 no data']],
    // That a protocol is spoken somewhere is not that this route is paid by it.
    [{ protocols: ['x402', 'mpp'], ...at({ price: '$0.01' }) }, PRICED],
    [
      {
        protocols: [
          { name: 'x402', version: 2 },
          { name: 'mpp', version: 1 },
        ],
        ...at({ price: '$0.01' }),
      },
      PRICED,
    ],
    [
      { protocols: { x402: { network: 'base' }, mpp: false }, ...at({ price: '$0.01' }) },
      ['GET /a x402 0.010000 base'],
    ],
    [{ capabilities: ['search'], tools: [{ name: 'no address' }] }, ['refused no_route']],
  ])('is read by what it says: %j', (document, rows) => {
    expect(givenBy('well-known', document)).toEqual(rows)
  })

  it.each([
    { price: '~$0.01' },
    { price: 'from $0.01' },
    { price: '€0.01' },
    { price: '1,000' },
    { price: '1¢' },
    { price: '$0.01 per 1000 tokens' },
    { price: { amount: '0.01', currency: 'USD', unit: 'token' } },
    { price: { amount: '0.01', currency: 'USD', per: '1k tokens' } },
    { price_per_token: '0.01' },
    { price: { basic: '$0.01', pro: '$0.05' } },
    { price: { '1': '$0.01', '10': '$0.09' } },
    { price: '$0.05', price_usd: 0.01 },
    { price: '$0.01', currency: 'EUR' },
    { price: '0.05', priceCurrency: 'EUR' },
    { price: 0.05, currencyCode: 'EUR' },
    { price: 0.05, currency_code: 'EUR' },
    { price: 0.05, denomination: 'ETH' },
    { price: 0.05, coin: 'DOGE' },
    { price: 0.05, payment_asset: 'ETH' },
    { price: { value: '0.0001', unit: 'ETH' } },
    { price: { value: '0.0001' }, unit: 'ETH' },
    { price: 0.01, unit: 'SOL' },
    { price: { amount: 5, currency: 'USD', unit: 'cents' } },
    { price: { amount: '10000', currency: 'USD', unit: 'micro' } },
    { price: '$1', per: 1000 },
    { price: '$0.05', unit: 'image' },
    { price: '$0.05', per_unit: 'minute' },
    { price: '$0.05', billing: 'per minute' },
    { pricing: { model: 'per_token', price: '0.001' } },
    { pricing: { model: 'per_page', price: '$0.001' } },
    { price: '$0,005' },
    { price: '$0,010 per call' },
    { amount_usdc: '10000', decimals: 6 },
    { amount: '10000', asset: 'EURC', decimals: 6 },
    { amount: '10000', asset: USDC_ON_BASE },
  ])('has no price where one would be a guess: %j', (entry) => {
    expect(givenBy('well-known', at(entry))).toEqual(UNPRICED)
  })

  it.each([
    [{ price: '0.005', protocols: ['x402-v2', 'X402/2'] }, ['GET /x x402 0.005000 no data']],
    [
      { price: '0.005', protocols: [{ name: 'x402' }, { name: 'mpp' }] },
      ['GET /x x402 0.005000 no data', 'GET /x mpp 0.005000 no data'],
    ],
    [{ price: '0.005', protocols: ['x4020'] }, ['refused unknown_rail']],
    [{ type: 'Free', protocols: [] }, ['GET /x x402 0.000000 no data']],
    [{ price: 0 }, ['GET /x x402 0.000000 no data']],
    [{ price: '$0.01' }, ['refused bad_offer']],
    [
      { protocols: ['x402'], price: { amount: '0.01', currency: 'USD', unit: 'token' } },
      ['GET /x x402 no data no data'],
    ],
    [{ offers: [{ ...charge, unitType: 'token' }] }, UNPRICED_ON_TEMPO],
    [{ ...charge, unitType: 'minute' }, UNPRICED_ON_TEMPO],
    [{ protocols: [{ mpp: { ...charge, unit: 'token' } }] }, UNPRICED_ON_TEMPO],
    [{ mpp: { ...charge, per_unit: 'minute' } }, UNPRICED_ON_TEMPO],
    [{ offers: [{ ...charge, unitType: 'request' }] }, ['GET /x mpp 0.010000 tempo:4217']],
    [false, ['refused not_paid']],
  ])('is read by what it says, in x-payment-info: %j', (info, rows) => {
    expect(givenBy('openapi', { 'x-payment-info': info })).toEqual(rows)
  })

  it('is a page of a facilitator, wherever its list and its total stand', () => {
    const items = [1, 2]
    expect(bazaarPaging({ resources: items, total: 5, limit: 2 })).toMatchObject({ items: 2, total: 5, limit: 2 })
    expect(bazaarPaging({ items, total: 5, pagination: { limit: 2 } })).toMatchObject({ total: 5, limit: 2 })
    expect(bazaarPaging({ data: { items, total: 5 } })).toMatchObject({ items: 2, total: 5 })
    expect(bazaarPaging({ data: items, meta: { total_count: 5 } })).toMatchObject({ items: 2, total: 5 })
    expect(bazaarPaging({ message: 'moved' })).toBeUndefined()
  })
})
