import { describe, expect, it } from 'vitest'
import { bazaarPageUrl, bazaarPaging, parseBazaar } from './bazaar.ts'
import {
  ALGORAND,
  ALGORAND_TESTNET,
  SOLANA,
  SOLANA_WALLET,
  USDC_ON_BASE,
  USDC_ON_SOLANA,
  USDC_ON_TEMPO,
  WALLET,
} from './testing/accounts.ts'
import { bazaarPage, bazaarV1Item, bazaarV2Item } from './testing/bazaar.ts'

const parse = (...items: unknown[]) => parseBazaar(bazaarPage(items), { allow: [] })
const bazaar = (more: object) => ({
  ...bazaarV2Item,
  extensions: { bazaar: { ...bazaarV2Item.extensions.bazaar, ...more } },
})

describe('parseBazaar', () => {
  it('reads a version 1 item: named network, maxAmountRequired, method from outputSchema', () => {
    expect(parse(bazaarV1Item).listings).toEqual([
      {
        method: 'POST',
        methodStated: true,
        address: { scheme: 'https', host: 'api.quotes.example', path: '/v1/quote' },
        rail: 'x402',
        price: 10_000,
        network: 'base',
        payees: [{ network: 'base', payee: WALLET, asset: USDC_ON_BASE }],
        description: 'One quote',
      },
    ])
  })

  it('reads a version 2 item as one row for each network, with the payee of each', () => {
    const { listings } = parse(bazaarV2Item)
    expect(listings.map(({ method, price, network }) => [method, price, network])).toEqual([
      ['GET', 2_500, 'eip155:8453'],
      ['GET', 2_500, SOLANA],
    ])
    expect(listings[1]?.payees).toEqual([{ network: SOLANA, payee: SOLANA_WALLET, asset: USDC_ON_SOLANA }])
  })

  it('reads several methods of one item, as a text or as a list', () => {
    for (const method of ['GET, POST', ['GET', 'post']]) {
      const item = bazaar({ info: { input: { type: 'http', method } } })
      const { listings } = parse({ ...item, accepts: item.accepts.slice(0, 1) })
      expect(listings.map((listing) => [listing.method, listing.methodStated])).toEqual([
        ['GET', true],
        ['POST', true],
      ])
    }
  })

  it('reads a way to pay that says that it is mpp’s on that rail', () => {
    const tempo = { network: 'tempo:4217', amount: '1000', asset: USDC_ON_TEMPO, payTo: WALLET, protocol: 'mpp' }
    const charge = { method: 'tempo', intent: 'charge', amount: '1000', currency: USDC_ON_TEMPO, recipient: WALLET }
    for (const way of [tempo, charge]) {
      const { listings } = parse({ ...bazaarV2Item, accepts: [bazaarV2Item.accepts[0], way] })
      expect(listings.map(({ rail, price, network }) => [rail, price, network])).toEqual([
        ['x402', 2_500, 'eip155:8453'],
        ['mpp', 1_000, 'tempo:4217'],
      ])
    }
  })

  it('keeps the ids of Algorand as they are written, with the payee', () => {
    const payTo = 'LOYVFSQ6ZTS2YWUW4GQ5L6VPP2TPIOXWYDACK53CPOHQQHLDMEMKJDXAX4'
    const accepts = [ALGORAND, ALGORAND_TESTNET].map((network) => ({
      network,
      amount: '10000',
      asset: '31566704',
      payTo,
    }))
    expect(
      parse({ ...bazaarV2Item, accepts }).listings.map(({ network, payees }) => [network, payees[0]?.payee]),
    ).toEqual([
      [ALGORAND, payTo],
      [ALGORAND_TESTNET, payTo],
    ])
  })

  it('takes the type of a JSON schema for no kind of item, and refuses those of other kinds', () => {
    const { type: _, ...item } = bazaarV1Item
    const schema = { ...item, outputSchema: { input: { type: 'object', properties: {} } } }
    expect(parse(schema).listings).toHaveLength(1)
    expect(parse({ ...schema, outputSchema: { input: { type: 'MCP' } } }).refused).toMatchObject([
      { reason: 'not_http' },
    ])
    const tool = { type: 'object', info: { input: { type: 'mcp' } } }
    expect(parse({ ...schema, extensions: { bazaar: tool } }).refused).toMatchObject([{ reason: 'not_http' }])
  })

  it('takes the amount of version 1 where that of version 2 is empty', () => {
    const [accept] = bazaarV1Item.accepts
    for (const amount of ['', null])
      expect(parse({ ...bazaarV1Item, accepts: [{ ...accept, amount }] }).listings).toMatchObject([{ price: 10_000 }])
  })

  it('takes every form of lastUpdated, and the address under either name', () => {
    const times = ['2026-01-27T05:45:44.968Z', 1_766_458_335, 1_766_458_335_000, '1766458335', null, 'yesterday']
    for (const lastUpdated of times) expect(parse({ ...bazaarV2Item, lastUpdated }).listings).toHaveLength(2)
    const { resource, ...rest } = bazaarV2Item
    expect(parse({ ...rest, url: resource }).listings).toEqual(parse(bazaarV2Item).listings)
    expect(parse({ ...rest, resource: { url: resource } }).listings).toEqual(parse(bazaarV2Item).listings)
  })

  it('says GET and that nobody stated it where no method is named', () => {
    const { extensions, ...silent } = bazaarV2Item
    expect(extensions).toBeDefined()
    expect(parse(silent).listings).toMatchObject([{ method: 'GET', methodStated: false }, { methodStated: false }])
  })

  it('takes the method that stands beside the address, where no input names one', () => {
    const { extensions: _, ...silent } = bazaarV2Item
    const methodsIn = (item: object) => [...new Set(parse(item).listings.map(({ method }) => method))]
    expect(methodsIn({ ...silent, method: 'post' })).toEqual(['POST'])
    expect(parse({ ...silent, method: 'post' }).listings[0]?.methodStated).toBe(true)
    expect(methodsIn({ ...silent, method: 'exact' })).toEqual(['GET'])
    const input = bazaar({ info: { input: { type: 'http', method: 'PUT' } } })
    expect(methodsIn({ ...input, method: 'POST' })).toEqual(['PUT'])
  })

  it('finds the method inside an accept, and gives it to the accepts that are silent', () => {
    const { extensions, accepts, ...rest } = bazaarV2Item
    const first = { ...accepts[0], extensions: { bazaar: { info: { input: { type: 'http', method: 'patch' } } } } }
    expect(extensions).toBeDefined()
    expect(parse({ ...rest, accepts: [first, accepts[1]] }).listings.map(({ method }) => method)).toEqual([
      'PATCH',
      'PATCH',
    ])
  })

  it('puts a route template in the place of the path, and ignores one that leads elsewhere', () => {
    for (const routeTemplate of [
      '//evil.example/x',
      '/a/../b',
      '/%2e%2e/b',
      '/a%252e%252e',
      '/x?y',
      'x',
      '/a://b',
      7,
    ]) {
      expect(parse(bazaar({ routeTemplate })).listings[0]?.address.path).toBe('/forecast')
    }
  })

  it('keeps the path that a route template does not stand for', () => {
    const pathOf = (path: string, routeTemplate: string): string | undefined =>
      parse({ ...bazaar({ routeTemplate }), resource: `https://pay.example${path}` }).listings[0]?.address.path
    const calls = ['', '?units=metric', '?units=metric&days=3']
    for (const query of calls) {
      for (const template of ['/users/:id', '/users/{id}', '/:var1/:var2', '/users/7'])
        expect(pathOf(`/users/7${query}`, template)).toBe(template)
      expect(pathOf(`/users/:id${query}`, '/users/:id')).toBe('/users/:id')
      // The kits write `/users/:var1` for `/users/*`, which is any number of segments, and know of no `/api` before it.
      for (const path of ['/users', '/users/7/posts', '/users/7/posts/9', '/api/users/7', '/other/7', '/'])
        expect(pathOf(`${path}${query}`, '/users/:var1')).toBe(`${path}${query}`)
    }
  })

  it('keeps templates and query strings as the source wrote them', () => {
    const path = '/a/:id/{b}/%7Bc%7D?q=%20x'
    expect(parse({ ...bazaarV1Item, resource: `https://pay.example${path}#top` }).listings[0]?.address.path).toBe(path)
  })

  it('has no price for an unknown asset, a missing amount or an empty one', () => {
    const [accept] = bazaarV1Item.accepts
    const priced = (more: object) => parse({ ...bazaarV1Item, accepts: [{ ...accept, ...more }] }).listings[0]?.price
    expect(priced({ asset: '0xf33CAC2bB6B26e7615B1873c84e4174Ae193A9aa' })).toBeNull()
    expect(priced({ maxAmountRequired: undefined })).toBeNull()
    expect(priced({ maxAmountRequired: '' })).toBeNull()
    expect(priced({ network: 'not a network' })).toBeNull()
    expect(priced({ maxAmountRequired: '0' })).toBe(0)
  })

  it('refuses each bad item with its reason and keeps the others', () => {
    const found = parse(
      null,
      { ...bazaarV2Item, type: 'mcp' },
      { type: 'facilitator', url: 'https://facilitator.example/', accepts: [] },
      { ...bazaarV2Item, resource: undefined },
      { ...bazaarV2Item, resource: 'https://127.0.0.1/x' },
      { ...bazaarV2Item, accepts: [] },
      { ...bazaarV2Item, accepts: ['exact', bazaarV2Item.accepts[0]] },
      bazaarV1Item,
    )
    expect(found.seen).toBe(8)
    expect(found.refused.map(({ reason }) => reason)).toEqual([
      'bad_item',
      'not_http',
      'not_http',
      'bad_item',
      'bad_address',
      'no_offers',
      'bad_offer',
    ])
    expect(found.listings.map(({ address }) => address.host)).toEqual(['api.weather.example', 'api.quotes.example'])
  })

  it('says that a page without items is no page', () => {
    expect(parseBazaar({ error: 'sorry' }, { allow: [] }).refused).toEqual([
      { reason: 'bad_document', item: 'no list of items' },
    ])
    expect(bazaarPaging({ error: 'sorry' })).toBeUndefined()
  })
})

describe('the paging of a facilitator', () => {
  it('asks for a hundred http items at a time and reads the total', () => {
    expect(bazaarPageUrl('https://facilitator.example/x402/', 300)).toBe(
      'https://facilitator.example/x402/discovery/resources?type=http&limit=100&offset=300',
    )
    expect(bazaarPaging(bazaarPage([bazaarV1Item, 7], 0, 15_000))).toEqual({
      items: 2,
      total: 15_000,
      limit: 100,
      names: ['POST https://api.quotes.example/v1/quote', '7'],
      hasMore: false,
    })
    expect(bazaarPaging({ items: [], pagination: { total: '5' } })).toEqual({
      items: 0,
      total: null,
      limit: null,
      names: [],
      hasMore: false,
    })
  })

  it('asks for as many as the facilitator gives at once', () => {
    expect(bazaarPageUrl('https://facilitator.example', 50, 50)).toBe(
      'https://facilitator.example/discovery/resources?type=http&limit=50&offset=50',
    )
  })

  it('takes a list of resources with its total beside it for a page too', () => {
    const page = { x402Version: 2, resources: [bazaarV1Item, bazaarV2Item], total: 5, limit: 2, offset: 0 }
    expect(bazaarPaging(page)).toMatchObject({ items: 2, total: 5, limit: 2 })
    expect(parseBazaar(page, { allow: [] })).toEqual(parse(bazaarV1Item, bazaarV2Item))
    expect(bazaarPaging({ data: [bazaarV2Item], meta: { total_count: 9 } })).toMatchObject({ items: 1, total: 9 })
  })
})
