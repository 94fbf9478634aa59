import { expect, it } from 'vitest'
import { onEachEngine } from '../../test/support/engines.ts'
import { aChallenge, aListing, aProbe, evidence, NOON_US } from '../../test/support/samples.ts'
import { directoryOf } from '../views/open-directory.ts'
import { saveEvidence } from './save.ts'

const HOST = 'api.seller.example'
const FIRST = { limit: 50, cursor: null }

onEachEngine('lists of the store', (engine) => {
  it('orders routes by path, then method, by bytes, and pages through all of them once', async () => {
    const store = await engine.open()
    const paths = ['/b', '/a', '/a/b', '/A', '/é', '/z', '/a?x=1', '/a%7Bid%7D', '/:id', '/{id}', '', '/𐀀', '/\uffee']
    const listings = paths.flatMap((path) => [
      aListing({ path, method: 'POST' }),
      aListing({ path, method: 'GET' }),
      aListing({ path, method: 'GET', rail: 'mpp' }),
    ])
    await saveEvidence(store, evidence({ listings }))
    const directory = directoryOf(store)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof directory.routes>> = await directory.routes(HOST, { limit: 4, cursor })
      expect(page?.total).toBe(listings.length)
      seen.push(...(page?.items ?? []).map((route) => `${route.path} ${route.method} ${route.rail}`))
      cursor = page?.next ?? null
    } while (cursor !== null)
    const expected = listings
      .toSorted(
        (a, b) =>
          Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)) ||
          (a.method < b.method ? -1 : a.method > b.method ? 1 : a.rail < b.rail ? -1 : 1),
      )
      .map((route) => `${route.path} ${route.method} ${route.rail}`)
    expect(seen).toEqual(expected)
  })

  it('cuts the host view and says how it goes on', async () => {
    const store = await engine.open()
    const listings = Array.from({ length: 60 }, (_, i) => aListing({ path: `/${String(i).padStart(3, '0')}` }))
    await saveEvidence(store, evidence({ listings }))
    const directory = directoryOf(store)
    const view = await directory.hostView(HOST, FIRST)
    expect(view?.routes).toHaveLength(50)
    expect(view?.counters.routes).toBe(60)
    const rest = await directory.hostView(HOST, { limit: 50, cursor: view?.nextRoutes ?? null })
    expect(rest?.routes.map((route) => route.path)).toEqual(listings.slice(50).map((listing) => listing.path))
    expect(rest?.nextRoutes).toBeNull()
  })

  it('pages through entries newest first, of the host and of one route', async () => {
    const store = await engine.open()
    const probes = Array.from({ length: 25 }, (_, i) =>
      aProbe({
        atUs: NOON_US + Math.floor(i / 2),
        latencyMs: i,
        path: i % 3 ? '/a' : '/b',
        challenge: i ? null : aChallenge(1),
      }),
    )
    await saveEvidence(store, evidence({ probes }))
    const directory = directoryOf(store)
    const all = async (filter: { path: string | null; method: 'GET' | null }) => {
      const seen: number[] = []
      let cursor: string | null = null
      do {
        const page: Awaited<ReturnType<typeof directory.probes>> = await directory.probes(HOST, {
          limit: 4,
          cursor,
          rail: null,
          ...filter,
        })
        seen.push(...(page?.items ?? []).map((probe) => probe.latencyMs))
        cursor = page?.next ?? null
      } while (cursor !== null)
      return seen
    }
    const everything = await all({ path: null, method: null })
    expect(everything.toSorted((a, b) => a - b)).toEqual(probes.map((probe) => probe.latencyMs))
    expect(everything.map((latency) => Math.floor(latency / 2))).toEqual(
      everything.map((latency) => Math.floor(latency / 2)).toSorted((a, b) => b - a),
    )
    expect((await all({ path: '/b', method: 'GET' })).toSorted((a, b) => a - b)).toEqual([
      0, 3, 6, 9, 12, 15, 18, 21, 24,
    ])
    expect(await all({ path: '/none', method: null })).toEqual([])
  })

  it('lists hosts by name, evidence, routes or reviews, and filters by one and the same route', async () => {
    const store = await engine.open()
    await saveEvidence(
      store,
      evidence({
        listings: [
          aListing({ host: 'a.example', path: '/cheap', price: 1000, network: 'base' }),
          aListing({ host: 'a.example', path: '/dear', price: 900_000, rail: 'mpp', network: 'tempo:4217' }),
          aListing({ host: 'b.example', path: '/100%_sure', price: 5000, network: 'eip155:8453' }),
          aListing({ host: 'c.example', path: '/x', price: null, network: null }),
        ],
        probes: [
          aProbe({ host: 'b.example', path: '/100%_sure' }),
          aProbe({ host: 'c.example', path: '/x', atUs: NOON_US + 9, httpStatus: 500 }),
        ],
      }),
    )
    const directory = directoryOf(store)
    const base = {
      q: null,
      rail: null,
      network: null,
      maxPrice: null,
      result: null,
      sort: 'host',
      limit: 50,
      cursor: null,
    } as const
    const names = async (more: object) => (await directory.hosts({ ...base, ...more })).items.map((row) => row.host)
    expect(await names({})).toEqual(['a.example', 'b.example', 'c.example'])
    expect(await names({ sort: 'newest' })).toEqual(['c.example', 'b.example', 'a.example'])
    expect((await names({ sort: 'routes' }))[0]).toBe('a.example')
    expect(await names({ network: 'base' })).toEqual(['a.example', 'b.example'])
    expect(await names({ rail: 'mpp', maxPrice: 5000 })).toEqual([])
    expect(await names({ rail: 'x402', maxPrice: 5000 })).toEqual(['a.example', 'b.example'])
    expect(await names({ result: 'failed' })).toEqual(['c.example'])
    expect(await names({ q: 'B.EXAM' })).toEqual(['b.example'])
    expect(await names({ q: '100%_' })).toEqual(['b.example'])
    expect(await names({ q: '%' })).toEqual([])
    for (const sort of ['host', 'newest', 'routes', 'reviews'] as const) {
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const page: Awaited<ReturnType<typeof directory.hosts>> = await directory.hosts({
          ...base,
          sort,
          limit: 1,
          cursor,
        })
        seen.push(...page.items.map((row) => row.host))
        cursor = page.next
      } while (cursor !== null)
      expect(seen.toSorted()).toEqual(['a.example', 'b.example', 'c.example'])
    }
    const [a] = (await directory.hosts(base)).items
    expect(a).toMatchObject({ rails: ['x402', 'mpp'], priceMin: 1000, priceMax: 900_000, routes: 2 })
  })

  it('refuses a cursor of another list', async () => {
    const store = await engine.open()
    await saveEvidence(store, evidence({ listings: [aListing(), aListing({ path: '/z' })] }))
    const directory = directoryOf(store)
    const { next } = (await directory.routes(HOST, { limit: 1, cursor: null })) ?? {}
    await expect(
      directory.probes(HOST, { limit: 1, cursor: next ?? '', method: null, path: null, rail: null }),
    ).rejects.toThrow('does not belong to this list')
    await expect(directory.routes(HOST, { limit: 1, cursor: 'nonsense' })).rejects.toThrow(
      'does not belong to this list',
    )
  })
})
