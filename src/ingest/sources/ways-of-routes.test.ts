import { describe, expect, it } from 'vitest'
import { parseOpenapi } from './openapi.ts'
import { USDC_ON_BASE, WALLET } from './testing/accounts.ts'
import { parseWellKnown } from './well-known.ts'

const base = 'https://shop.example/.well-known/x402'
const rows = (document: unknown) =>
  parseWellKnown(document, { allow: [], base }).listings.map(({ method, address, price, network }) =>
    [method, `${address.host}${address.path}`, price, network].join(' '),
  )
const way = (amount: number, resource?: unknown, more: object = {}) => ({
  ...{ scheme: 'exact', network: 'base', amount: String(amount), asset: USDC_ON_BASE, payTo: WALLET },
  ...(resource === undefined ? {} : { resource }),
  ...more,
})

describe('a way to pay that names a route', () => {
  const named = [way(10_000, 'https://shop.example/a'), way(20_000, { url: '/b' })]
  const both = ['GET shop.example/a 10000 base', 'GET shop.example/b 20000 base']

  it('is for that route alone, however the two are written', () => {
    expect(rows({ resources: ['/a', '/b'], accepts: named })).toEqual(both)
    expect(rows({ resources: ['/a', '/b'], payment: named })).toEqual(both)
    expect(rows({ x402: { accepts: named }, routes: ['/a', '/b'] })).toEqual(both)
    expect(rows({ resources: ['https://api.shop.example/a/?x=1', '/b#c'], accepts: named })).toEqual([
      'GET api.shop.example/a/?x=1 10000 base',
      'GET shop.example/b 20000 base',
    ])
    expect(rows({ resources: ['/a', '/c'], accepts: [...named, way(30_000)] })).toEqual([
      'GET shop.example/a 10000 base',
      'GET shop.example/a 30000 base',
      'GET shop.example/c 30000 base',
    ])
  })

  it('leaves a route that no way to pay is for without a price', () => {
    expect(rows({ resources: ['/a', '/c'], accepts: named })).toEqual([
      'GET shop.example/a 10000 base',
      'GET shop.example/c  ',
    ])
    expect(rows({ resources: ['/a'], accepts: [way(10_000, 'https://other.example/a')] })).toEqual([
      'GET shop.example/a  ',
    ])
  })

  it('is for all routes where it names the seller, a word or all that is below', () => {
    for (const resource of ['https://shop.example', 'https://api.shop.example/', '/', 'weather', '/v1/*'])
      expect(rows({ resources: ['/v1/a'], accepts: [way(10_000, resource)] })).toEqual([
        'GET shop.example/v1/a 10000 base',
      ])
    expect(rows({ resources: ['/v2/a'], accepts: [way(10_000, '/v1/*')] })).toEqual(['GET shop.example/v2/a  '])
  })

  it('of several in a route’s own list counts where it names that route, and all do where none names it', () => {
    expect(rows({ resources: [{ resource: '/a', accepts: named }] })).toEqual(['GET shop.example/a 10000 base'])
    expect(rows({ resources: [{ path: '/v1/a/{id}', accepts: [way(10_000, '/v1/a/7')] }] })).toEqual([
      'GET shop.example/v1/a/{id} 10000 base',
    ])
  })

  it('makes the route known where nothing else names any', () => {
    expect(rows({ x402Version: 1, accepts: named })).toEqual(both)
    expect(rows({ items: [{ accepts: [way(10_000, '/a', { method: 'POST' }), way(20_000, '/b')] }] })).toEqual([
      'POST shop.example/a 10000 base',
      'GET shop.example/b 20000 base',
    ])
    expect(rows({ accepts: [way(10_000, undefined, { path: '/a', method: 'PUT' }), way(20_000, 'POST /b')] })).toEqual([
      'PUT shop.example/a 10000 base',
      'POST shop.example/b 20000 base',
    ])
    expect(rows({ accepts: [way(10_000, '/a'), way(20_000, 'https://other.example/b')] })).toEqual([
      'GET shop.example/a 10000 base',
    ])
  })
})

describe('`paths` of a well-known document', () => {
  it('are routes, unless it is an OpenAPI document', () => {
    const paths = { '/a': { price: '$0.01' }, '/b': { post: { price: '$0.02' } } }
    const given = ['GET shop.example/a 10000 ', 'POST shop.example/b 20000 ']
    expect(rows({ paths })).toEqual(given)
    expect(rows({ paths, openapi: 'https://shop.example/openapi.json' })).toEqual(given)
    expect(rows({ paths, openapi: '3.1.0' })).toEqual([])
    expect(rows({ paths: { '/a': { get: { responses: {} } } } })).toEqual([])
  })
})

describe('a way to pay of an OpenAPI document', () => {
  const operations = (info: object, more: object = {}, operation: object = {}) =>
    parseOpenapi(
      {
        openapi: '3.1.0',
        paths: { '/a': { get: { 'x-payment-info': { protocols: ['x402'], ...info }, ...operation } } },
        ...more,
      },
      { allow: [], base: 'https://shop.example/openapi.json' },
    ).listings.map(({ price, network }) => [price, network].join(' '))
  const named = [way(10_000, 'https://api.shop.example/a?x=1'), way(20_000, '/b')]

  it('that names a path is for the operations there alone', () => {
    expect(operations({}, { 'x-payment-accepts': named })).toEqual(['10000 base'])
    expect(operations({ accepts: named })).toEqual(['10000 base'])
    expect(operations({}, {}, { accepts: named })).toEqual(['10000 base'])
    expect(operations({}, { 'x-payment-accepts': [way(20_000, '/b')] })).toEqual([' '])
    expect(operations({}, { 'x-payment-accepts': [way(10_000, 'https://other.example/a')] })).toEqual([' '])
  })

  it('is for all operations where it names the seller, and an operation’s own where none of them names it', () => {
    expect(operations({}, { 'x-payment-accepts': [way(10_000, 'https://shop.example/')] })).toEqual(['10000 base'])
    expect(operations({ accepts: [way(10_000, '/a/7')] })).toEqual(['10000 base'])
  })

  it('stands under x402, too', () => {
    expect(operations({ protocols: undefined, x402: named })).toEqual(['10000 base'])
  })
})
