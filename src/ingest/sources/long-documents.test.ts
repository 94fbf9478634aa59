import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { atOnce, inTurns } from '../read/steps.ts'
import { openapi, wellKnown } from './index.ts'

const context = { allow: [], base: 'https://api.shop.example/.well-known/x402' }
const many = <T>(length: number, entry: (index: number) => T): T[] => Array.from({ length }, (_, index) => entry(index))
const fields = (length: number): Record<string, string> =>
  Object.fromEntries(many(length, (index) => [`k${index}`, 'x']))
const paths = (length: number): string[] => many(length, (index) => `/a${index}`)
const paid = (protocols: unknown) => ({ get: { 'x-payment-info': { price: '$0.01', protocols } } })

/** What it took minutes to read, or one turn of all else, while the document is no longer than a seller's may be. */
describe('a seller’s document that is as long as it may be', () => {
  it('is read up to its limits, and the rest counted by its length', () => {
    const words = 'w '.repeat(1_000_000)
    const routes = atOnce(wellKnown.read({ name: words, resources: paths(120_000) }, context))
    expect([routes.seen, routes.listings.length]).toEqual([120_000, 5_000])
    expect(routes.refused).toEqual([{ reason: 'too_many', item: '115000 items more' }])

    const same = atOnce(wellKnown.read({ resources: many(800_000, () => '/a') }, context))
    expect([same.seen, same.listings.length, same.refused.length]).toEqual([800_000, 1, 1])

    const nothing = atOnce(wellKnown.read({ resources: many(800_000, () => '#') }, context))
    expect([nothing.seen, nothing.refused.length]).toEqual([800_000, 30_001])

    const operations = Object.fromEntries(paths(10_000).map((path) => [path, paid(['x402'])]))
    const document = atOnce(openapi.read({ openapi: '3.1.0', paths: operations }, context))
    expect([document.seen, document.listings.length, document.refused.length]).toEqual([10_000, 5_000, 1])
  })

  it('refuses no more of routes on many networks than there is room for', () => {
    const networks = many(5_000, (index) => `eip155:${index + 1}`)
    const { listings, refused } = atOnce(wellKnown.read({ networks, price: '$1', resources: paths(5_000) }, context))
    expect(listings).toHaveLength(5_000)
    expect(refused.length).toBeLessThan(64)
  })

  it('is not read once more for every route', () => {
    let looks = 0
    const watched = (length: number, said: object): object =>
      new Proxy(
        { ...said, ...fields(length) },
        {
          ownKeys: (object) => {
            looks += 1
            return Reflect.ownKeys(object)
          },
        },
      )
    const resources = paths(500)
    const documents = [
      { networks: ['base', 'solana'], price: '$1', payToByNetwork: watched(2_000, {}), resources },
      { accepts: [watched(2_000, { network: 'base', amount: '10000' })], resources },
      watched(2_000, { price: '$1', resources: resources.map((path, index) => ({ path, asset: `x${index}` })) }),
      { pricing: watched(2_000, {}), services: resources.map((path) => ({ endpoints: [path] })) },
    ]
    for (const document of documents) {
      looks = 0
      expect(atOnce(wellKnown.read(document, context)).listings.length).toBeGreaterThanOrEqual(500)
      expect(looks).toBeLessThan(50)
    }
    const protocols = many(10_000, (index) => ({ x402: { network: `eip155:${index + 1}` } }))
    expect(atOnce(openapi.read({ paths: { '/a': paid(protocols) } }, context)).listings).toHaveLength(64)
  })

  it('leaves everybody else a turn', async () => {
    let turns = 0
    let isRead = false
    const reading = inTurns(wellKnown.read({ resources: many(800_000, () => '/a') }, context)).then(() => {
      isRead = true
    })
    while (!isRead) {
      await setImmediate()
      turns += 1
    }
    await reading
    expect(turns).toBeGreaterThan(2)
  })
})
