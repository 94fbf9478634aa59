import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Offer } from '../domain/challenge.ts'
import { networkKey } from '../domain/network.ts'
import type { Found } from './found.ts'
import { isOwnHost, ListingCollector } from './listing-collector.ts'
import { SOLANA_WALLET, WALLET } from './sources/testing/accounts.ts'

const OTHER_WALLET = '0x2222222222222222222222222222222222222222'

const offer = (more: Partial<Offer> = {}): Offer => ({
  rail: 'x402',
  network: 'base',
  price: 10_000,
  asset: '0xasset',
  payee: WALLET,
  ...more,
})
const url = 'https://pay.example/v1/x'

describe('ListingCollector', () => {
  it('merges rows that differ only in how the network is written, and keeps every payee', () => {
    const collector = new ListingCollector({ allow: [] })
    collector.route({ url, method: 'GET', offers: [offer(), offer({ network: 'eip155:8453', payee: OTHER_WALLET })] })
    const { listings } = collector.found()
    expect(listings).toHaveLength(1)
    expect(listings[0]?.network).toBe('base')
    expect(listings[0]?.payees.map(({ payee }) => payee)).toEqual([WALLET, OTHER_WALLET])
  })

  it('lists a route once for each of the methods that are named', () => {
    const methods = (method: string) => {
      const collector = new ListingCollector({ allow: [] })
      collector.route({ url, method, offers: [offer()] })
      const { listings, refused } = collector.found()
      return refused[0]?.reason ?? listings.map((listing) => listing.method).join(' ')
    }
    expect(methods(' get ')).toBe('GET')
    expect(methods('GET, post|GET')).toBe('GET POST')
    expect(methods('PUT/PATCH')).toBe('PUT PATCH')
    for (const written of ['HEAD', 'GET,HEAD', 'ANY', '*', ',', 'GETPOST']) expect(methods(written)).toBe('bad_method')
  })

  it('takes no words that only call the host by its name', () => {
    const said = (description: string) => {
      const collector = new ListingCollector({ allow: [] })
      collector.route({ url, method: 'GET', offers: [offer()], description })
      return collector.found().listings[0]?.description
    }
    for (const name of ['pay.example', 'Pay.Example.', ' pay example ']) expect(said(name)).toBeNull()
    for (const words of ['pay.example, the weather', 'pay', 'https://pay.example']) expect(said(words)).toBe(words)
  })

  it('keeps no payee that cannot be an address of the network', () => {
    const named = (network: string, payee: string) => {
      const collector = new ListingCollector({ allow: [] })
      collector.route({ url, method: 'GET', offers: [offer({ network, payee })] })
      return collector.found().listings[0]?.payees.map((each) => each.payee)
    }
    expect(named('solana', WALLET)).toEqual([])
    expect(named('solana', SOLANA_WALLET)).toEqual([SOLANA_WALLET])
    expect(named('base', SOLANA_WALLET)).toEqual([])
    expect(named('tempo:4217', `${WALLET}0`)).toEqual([])
    expect(named('stellar:pubnet', 'GAXYZ')).toEqual(['GAXYZ'])
  })

  it('writes a merged network the same way in whatever order its writings come', () => {
    const written = fc.shuffledSubarray(['base', 'eip155:8453', 'Base', '8453', 'base-mainnet'], { minLength: 1 })
    fc.assert(
      fc.property(written, (networks) => {
        const collector = new ListingCollector({ allow: [] })
        for (const network of networks) collector.route({ url, method: 'GET', offers: [offer({ network })] })
        const [first] = networks.toSorted()
        expect(collector.found().listings).toMatchObject([{ network: first, payees: [{ network: first }] }])
      }),
    )
  })

  it('gives one row for each price and each network', () => {
    const collector = new ListingCollector({ allow: [] })
    collector.route({
      url,
      method: 'get',
      offers: [offer(), offer({ price: 20_000 }), offer({ network: 'solana' }), offer({ network: null })],
    })
    expect(collector.found().listings.map(({ price, network }) => [price, network])).toEqual([
      [10_000, 'base'],
      [20_000, 'base'],
      [10_000, 'solana'],
      [10_000, null],
    ])
  })

  it('says why an address, a method or a foreign host is refused, and keeps the rest', () => {
    const collector = new ListingCollector({ allow: [], ownHost: 'pay.example' })
    collector.route({ url: 'https://10.0.0.1/x', method: 'GET', offers: [offer()] })
    collector.route({ url, method: 'HEAD', offers: [offer()] })
    collector.route({ url: 'https://victim.example/x', method: 'GET', offers: [offer()] })
    collector.route({ url, method: 'GET', offers: [] })
    collector.route({ url, method: undefined, offers: [offer()] })
    const found = collector.found()
    expect(found.refused.map(({ reason }) => reason)).toEqual([
      'bad_address',
      'bad_method',
      'foreign_host',
      'no_offers',
    ])
    expect(found.refused[0]?.item).toBe('an IP address is not a seller host: https://10.0.0.1/x')
    expect(found.listings).toMatchObject([{ method: 'GET', methodStated: false }])
  })

  it('stops listing at the limit and says so', () => {
    const collector = new ListingCollector({ allow: [], mostListings: 2 })
    for (const path of ['a', 'b', 'c', 'a'])
      collector.route({ url: `https://pay.example/${path}`, method: 'GET', offers: [offer()] })
    expect(collector.found().listings).toHaveLength(2)
    expect(collector.found().refused).toEqual([{ reason: 'too_many', item: 'GET https://pay.example/c' }])
  })

  it('gives room to a hundred hosts of a seller’s own document', () => {
    const collector = new ListingCollector({ allow: [], ownHost: 'pay.example' })
    for (let n = 0; n < 102; n += 1)
      collector.route({ url: `https://h${n % 101}.pay.example/a`, method: 'GET', offers: [offer()] })
    expect(collector.found().listings).toHaveLength(100)
    expect(collector.found().refused).toEqual([{ reason: 'too_many', item: 'hosts: https://h100.pay.example/a' }])
  })

  it('takes 64 rows of a route and 64 payees of a row from one document, in however many items they stand', () => {
    const collector = new ListingCollector({ allow: [] })
    const payees = Array.from({ length: 70 }, (_, n) =>
      offer({ price: null, payee: `0x${String(n).padStart(40, '0')}` }),
    )
    const prices = Array.from({ length: 70 }, (_, n) => offer({ price: n + 1 }))
    for (const one of payees) collector.route({ url, method: undefined, offers: [one] })
    for (const one of prices) collector.route({ url, method: 'POST', offers: [one] })
    const { listings, refused } = collector.foundOnce()
    expect(listings).toHaveLength(64)
    expect(Math.max(...listings.map((row) => row.payees.length))).toBeLessThanOrEqual(65)
    expect(refused).toEqual(Array(12).fill({ reason: 'too_many', item: expect.stringMatching(/^(?:GET|POST) https:/) }))
  })

  it('hands out items as long as there is room, and counts the rest', () => {
    const collector = new ListingCollector({ allow: [], mostRead: 6 })
    for (const path of collector.withRoom(['a', 'a', 'a', 'b', 'c'])) {
      collector.see()
      collector.route({ url: `https://pay.example/${path}`, method: 'GET', offers: [offer()] })
    }
    expect(collector.found()).toMatchObject({ seen: 5, refused: [{ reason: 'too_many', item: '2 items more' }] })
    expect(collector.found().listings).toHaveLength(1)
  })

  it('lets a full row stand for a bare one of the same document', () => {
    const collector = new ListingCollector({ allow: [] })
    const bare = offer({ price: null, network: null, payee: null })
    collector.route({ url, method: undefined, offers: [bare] })
    collector.route({ url, method: 'POST', offers: [bare, offer()] })
    expect(collector.found().listings).toHaveLength(3)
    expect(collector.foundOnce().listings).toMatchObject([{ method: 'POST', price: 10_000, network: 'base' }])
  })
})

describe('what one document says of a route with a method and without', () => {
  const once = (...routes: readonly [method: string | undefined, ...offers: Partial<Offer>[]][]) => {
    const bare = { price: null, network: null, payee: null }
    const collector = new ListingCollector({ allow: [] })
    for (const [method, ...offers] of routes)
      collector.route({ url, method, offers: offers.length === 0 ? [offer(bare)] : offers.map(offer) })
    return collector
      .foundOnce()
      .listings.map(({ method, methodStated, price, network, payees }) => [
        `${method}${methodStated ? '' : '?'} ${price} ${network}`,
        ...payees.map(({ payee }) => payee),
      ])
  }

  it('is two routes where both have terms of their own', () => {
    expect(once([undefined, {}], ['POST', { price: 50_000, network: null }])).toEqual([
      ['GET? 10000 base', WALLET],
      ['POST 50000 null'],
    ])
  })

  it('is one route where either has none: the terms go to the method', () => {
    const priced = [['POST 10000 base', WALLET]]
    expect(once([undefined], ['POST', {}])).toEqual(priced)
    expect(once(['POST', {}], [undefined])).toEqual(priced)
    expect(once([undefined, {}], ['POST'])).toEqual(priced)
    expect(once(['POST'], [undefined, {}])).toEqual(priced)
    expect(once(['GET'], [undefined, {}])).toEqual([['GET 10000 base', WALLET]])
    expect(once([undefined, {}], ['GET'], ['POST'])).toEqual([
      ['GET 10000 base', WALLET],
      ['POST 10000 base', WALLET],
    ])
  })

  it('is one route where the terms are the same, or one says less of them, and keeps the payee', () => {
    expect(once([undefined, {}], ['POST', { payee: null, network: 'eip155:8453' }])).toEqual([
      ['POST 10000 eip155:8453', WALLET],
    ])
    expect(once([undefined, {}], ['POST', { network: null }])).toEqual([['POST 10000 base', WALLET]])
    expect(once([undefined, { network: null }], ['POST', {}])).toEqual([['POST 10000 base', WALLET]])
  })

  it('never loses a price that the document states', () => {
    const method = fc.constantFrom(undefined, 'GET', 'POST')
    const terms = fc.record({
      price: fc.constantFrom(null, 10_000, 50_000),
      network: fc.constantFrom(null, 'base', 'eip155:8453', 'solana'),
    })
    const route = fc.tuple(method, fc.array(terms, { minLength: 1, maxLength: 3 }))
    fc.assert(
      fc.property(fc.array(route, { maxLength: 5 }), (routes) => {
        const collector = new ListingCollector({ allow: [] })
        for (const [stated, offers] of routes) collector.route({ url, method: stated, offers: offers.map(offer) })
        const said = (found: Found): string[] => [
          ...new Set(
            found.listings
              .filter(({ price }) => price !== null)
              .map(({ price, network }) => `${price} ${network && networkKey(network)}`),
          ),
        ]
        const [all, once] = [said(collector.found()), said(collector.foundOnce())]
        // A price without a network may stand beside one instead.
        const isKept = (one: string): boolean =>
          once.includes(one) || (one.endsWith(' null') && once.some((each) => each.startsWith(one.split(' ')[0] ?? '')))
        expect(all.filter((one) => !isKept(one))).toEqual([])
        const keys = collector.foundOnce().listings.map((each) => `${each.method} ${each.price} ${each.network}`)
        expect(new Set(keys).size).toBe(keys.length)
      }),
      { numRuns: 500 },
    )
  })
})

describe('isOwnHost', () => {
  it('takes www for a name of its own where what is left is nobody’s, or shared by strangers', () => {
    const suffixes = ['com', 'pages.dev', 'vercel.app', 'up.railway.app', 'co.uk', 'eu-west-1.amazonaws.com', 'gov.uk']
    for (const suffix of suffixes) {
      expect(isOwnHost(`www.${suffix}`, `victim.${suffix}`)).toBe(false)
      expect(isOwnHost(`www.${suffix}`, suffix)).toBe(false)
      expect(isOwnHost(`www.${suffix}:8443`, `api.www.${suffix}`)).toBe(true)
    }
    expect(isOwnHost('www.shop.co.uk', 'api.shop.co.uk')).toBe(true)
    expect(isOwnHost('www.shop.pages.dev', 'shop.pages.dev')).toBe(true)
    expect(isOwnHost('www.shop.pages.dev', 'victim.pages.dev')).toBe(false)
  })

  it('takes the same name and names below it, on any port, with or without www', () => {
    for (const host of ['shop.example', 'shop.example:8443', 'api.shop.example', 'www.shop.example']) {
      expect(isOwnHost('www.shop.example', host)).toBe(true)
    }
  })

  it('refuses names above, beside and merely alike, so that no tenant speaks for its neighbour', () => {
    for (const host of ['example', 'platform.example', 'other.platform.example', 'notseller.platform.example']) {
      expect(isOwnHost('seller.platform.example', host)).toBe(false)
    }
  })
})
