import { describe, expect, it } from 'vitest'
import { parseMppDirectory } from './mpp-directory.ts'
import { USDC_ON_BASE, USDC_ON_TEMPO } from './testing/accounts.ts'
import { mppDirectory } from './testing/mpp-directory.ts'

const [maps] = mppDirectory.services
const one = (payment: unknown, service: object = {}) =>
  parseMppDirectory(
    { services: [{ ...maps, ...service, endpoints: [{ method: 'GET', path: '/x', payment }] }] },
    { allow: [] },
  )
const charge = { intent: 'charge', method: 'tempo', currency: USDC_ON_TEMPO, decimals: 6, amount: '1500' }

describe('parseMppDirectory', () => {
  it('reads fixed, dynamic and free endpoints below the prefix of serviceUrl', () => {
    const { listings, refused, seen } = parseMppDirectory(mppDirectory, { allow: [] })
    expect(
      listings.map(({ method, address, rail, price, network }) => [method, address.path, rail, price, network]),
    ).toEqual([
      ['GET', '/gateway/v1/tiles/:z/:x/:y', 'mpp', 1_500, 'tempo:4217'],
      ['POST', '/gateway/v1/route', 'mpp', null, 'tempo:4217'],
      ['GET', '/gateway/v1/health', 'mpp', 0, null],
      ['POST', '/gateway/v1/print', 'mpp', 500_000, null],
    ])
    expect(listings.every(({ address }) => address.host === 'pay.maps.example')).toBe(true)
    expect([seen, refused.length]).toEqual([4, 0])
  })

  it('takes an endpoint’s full address for what it is', () => {
    const endpoints = [{ method: 'GET', path: 'https://b.example/x', payment: null }]
    const found = parseMppDirectory({ services: [{ serviceUrl: 'https://a.example/pre', endpoints }] }, { allow: [] })
    expect(found.listings.map(({ address }) => `${address.host}${address.path}`)).toEqual(['b.example/x'])
  })

  it('prices only dollars whose decimals are known and not contradicted', () => {
    expect(one({ ...charge, decimals: 18 }).listings[0]).toMatchObject({ price: null, network: 'tempo:4217' })
    expect(one({ ...charge, currency: `0x20c0${'0'.repeat(35)}9` }).listings[0]).toMatchObject({
      price: null,
      network: null,
    })
    expect(one({ ...charge, currency: `0x20c0${'0'.repeat(36)}` }).listings[0]).toMatchObject({
      price: 1_500,
      network: null,
    })
    expect(one({ ...charge, method: 'stripe', currency: 'eur', decimals: 2 }).listings[0]?.price).toBeNull()
    expect(one({ ...charge, amount: '0.5' }).listings[0]?.price).toBeNull()
    expect(one({ ...charge, amount: undefined }).listings[0]?.price).toBeNull()
  })

  it.each([
    [{ chainId: 4217 }, 'tempo:4217', 1_500],
    [{ chainId: '0x1079', network: 'tempo' }, 'tempo', 1_500],
    [{ methodDetails: { chainId: 4217 }, chain_id: null }, 'tempo:4217', 1_500],
    [{ chainId: 42_431 }, 'tempo:42431', null],
    [{ chainId: '0xa5bf' }, 'tempo:42431', null],
    [{ methodDetails: { chainId: 'eip155:42431' } }, 'tempo:42431', null],
    [{ chain: 'tempo-testnet' }, 'tempo-testnet', null],
    [{ network: 'tempo', chainId: 42_431 }, null, null],
    ...['moderato', '', 0, true, [4217], {}].map((chainId) => [{ chainId }, null, null] as const),
    ...['two words', '', ['tempo'], {}].map((network) => [{ network }, null, null] as const),
    [{ methodDetails: 'tempo' }, null, null],
  ] as const)('takes no other network and none that cannot be read for the main one: %j', (named, network, price) => {
    expect(one({ ...charge, ...named }).listings[0]).toMatchObject({ network, price })
  })

  it('prices what has a value on every network of Tempo, whichever it is', () => {
    const everywhere = { ...charge, currency: `0x20c0${'0'.repeat(36)}` }
    expect(one({ ...everywhere, chainId: 1337 }).listings[0]).toMatchObject({ network: 'tempo:1337', price: 1_500 })
    expect(one({ ...everywhere, chainId: '?' }).listings[0]).toMatchObject({ network: null, price: 1_500 })
  })

  it('prices what is paid on any chain, or by card, as a live challenge does', () => {
    const evm = { ...charge, method: 'evm', currency: USDC_ON_BASE, network: 'eip155:8453' }
    expect(one(evm).listings[0]).toMatchObject({ price: 1_500, network: 'eip155:8453' })
    expect(one({ ...evm, network: 'polygon' }).listings[0]?.price).toBeNull()
    expect(one({ ...evm, network: undefined }).listings[0]?.price).toBeNull()
    expect(one({ ...charge, method: 'card', currency: 'usd', decimals: 2 }).listings[0]?.price).toBe(15_000_000)
  })

  it('gives one row for each way to pay, and none for a payment that is no object', () => {
    const stripe = { intent: 'charge', method: 'stripe', currency: 'usd', decimals: 2, amount: '1' }
    expect(one([charge, stripe]).listings.map(({ price }) => price)).toEqual([1_500, 10_000])
    expect(one('free').refused).toEqual([{ reason: 'bad_offer', item: 'https://pay.maps.example/gateway/x' }])
    expect(one(undefined).listings[0]).toMatchObject({ price: null, network: null })
  })

  it('keeps the good ways to pay beside a bad one', () => {
    expect(one([charge, 'x', null])).toMatchObject({
      listings: [{ price: 1_500 }],
      refused: [{ reason: 'bad_offer' }, { reason: 'bad_offer' }],
    })
    expect(one(['x'])).toMatchObject({ listings: [], refused: [{ reason: 'bad_offer' }] })
    expect(one([])).toMatchObject({ listings: [], refused: [{ reason: 'no_offers' }] })
  })

  it('reads decimals that are written as text', () => {
    expect(one({ ...charge, decimals: '6' }).listings[0]?.price).toBe(1_500)
    for (const decimals of ['18', 'six', '', 6.5]) expect(one({ ...charge, decimals }).listings[0]?.price).toBeNull()
  })

  it('lists services in maintenance and leaves out deprecated ones', () => {
    expect(one(charge, { status: 'maintenance' }).listings).toHaveLength(1)
    expect(one(charge, { status: 'deprecated' })).toMatchObject({ listings: [], refused: [{ reason: 'deprecated' }] })
  })

  it('never takes the home page of the upstream for a callable address', () => {
    expect(one(charge, { serviceUrl: undefined })).toMatchObject({ listings: [], refused: [{ reason: 'bad_item' }] })
  })
})
