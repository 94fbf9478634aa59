import { describe, expect, it } from 'vitest'
import type { Offer } from '../domain/challenge.ts'
import { Gathering, isOwnHost } from './gathering.ts'

const offer = (more: Partial<Offer> = {}): Offer => ({
  rail: 'x402',
  network: 'base',
  price: 10_000,
  asset: '0xasset',
  payee: '0xpayee',
  ...more,
})
const url = 'https://pay.example/v1/x'

describe('Gathering', () => {
  it('merges rows that differ only in how the network is written, and keeps every payee', () => {
    const gathering = new Gathering({ allow: [] })
    gathering.route({ url, method: 'GET', offers: [offer(), offer({ network: 'eip155:8453', payee: '0xother' })] })
    const { listings } = gathering.found()
    expect(listings).toHaveLength(1)
    expect(listings[0]?.network).toBe('base')
    expect(listings[0]?.payees.map(({ payee }) => payee)).toEqual(['0xpayee', '0xother'])
  })

  it('gives one row for each price and each network', () => {
    const gathering = new Gathering({ allow: [] })
    gathering.route({
      url,
      method: 'get',
      offers: [offer(), offer({ price: 20_000 }), offer({ network: 'solana' }), offer({ network: null })],
    })
    expect(gathering.found().listings.map(({ price, network }) => [price, network])).toEqual([
      [10_000, 'base'],
      [20_000, 'base'],
      [10_000, 'solana'],
      [10_000, null],
    ])
  })

  it('says why an address, a method or a foreign host is refused, and keeps the rest', () => {
    const gathering = new Gathering({ allow: [], ownHost: 'pay.example' })
    gathering.route({ url: 'https://10.0.0.1/x', method: 'GET', offers: [offer()] })
    gathering.route({ url, method: 'HEAD', offers: [offer()] })
    gathering.route({ url: 'https://victim.example/x', method: 'GET', offers: [offer()] })
    gathering.route({ url, method: 'GET', offers: [] })
    gathering.route({ url, method: undefined, offers: [offer()] })
    const found = gathering.found()
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
    const gathering = new Gathering({ allow: [], mostListings: 2 })
    for (const path of ['a', 'b', 'c', 'a'])
      gathering.route({ url: `https://pay.example/${path}`, method: 'GET', offers: [offer()] })
    expect(gathering.found().listings).toHaveLength(2)
    expect(gathering.found().refused).toEqual([{ reason: 'too_many', item: 'GET https://pay.example/c' }])
  })

  it('lets a full row stand for a bare one of the same document', () => {
    const gathering = new Gathering({ allow: [] })
    const bare = offer({ price: null, network: null, payee: null })
    gathering.route({ url, method: undefined, offers: [bare] })
    gathering.route({ url, method: 'POST', offers: [bare, offer()] })
    expect(gathering.found().listings).toHaveLength(3)
    expect(gathering.foundOnce().listings).toMatchObject([{ method: 'POST', price: 10_000, network: 'base' }])
  })
})

describe('isOwnHost', () => {
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
