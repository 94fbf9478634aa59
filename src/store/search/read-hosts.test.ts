import { expect, it } from 'vitest'
import { ALL_HOSTS, directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing, aProbe, aReview, evidence, NOON_US } from '../../../test/support/samples.ts'
import type { SupportLevel } from '../../domain/review.ts'
import { saveEvidence } from '../transfer/save-evidence.ts'

const walletOf = (n: number): string => `0x${String(n).padStart(40, '1')}`

onEachEngine('the list of hosts', (engine) => {
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
    const base = ALL_HOSTS
    const names = async (more: object) => (await directory.hosts({ ...base, ...more })).items.map((row) => row.host)
    expect(await names({})).toEqual(['a.example', 'b.example', 'c.example'])
    expect(await names({ sort: 'newest' })).toEqual(['c.example', 'b.example', 'a.example'])
    expect((await names({ sort: 'routes' }))[0]).toBe('a.example')
    for (const network of ['base', 'Base', 'base-mainnet', 'Base Mainnet', 'eip155:8453', '8453'])
      expect([network, await names({ network })]).toEqual([network, ['a.example', 'b.example']])
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

  it('ranks by verified buyers, then by signed reviews, and no flood of unsigned ones moves anybody', async () => {
    const store = await engine.open()
    const said = (host: string, level: SupportLevel, count: number) =>
      Array.from({ length: count }, (_, n) =>
        aReview({ id: `${host}-${level}-${n}`, host, level, wallet: level === 'Unsigned' ? null : walletOf(n) }),
      )
    const hosts = ['flooded.example', 'signed.example', 'bought.example']
    await saveEvidence(
      store,
      evidence({
        listings: hosts.map((host) => aListing({ host })),
        reviews: [
          ...said('flooded.example', 'Unsigned', 200),
          ...said('signed.example', 'Signed', 3),
          ...said('bought.example', 'Verified buyer', 1),
        ],
      }),
    )
    const none = { q: null, rail: null, network: null, maxPrice: null, result: null, requested: null } as const
    const { items } = await directoryOf(store).hosts({ ...none, sort: 'reviews', limit: 50, cursor: null })
    expect(items.map(({ host }) => host)).toEqual(['bought.example', 'signed.example', 'flooded.example'])
  })
})
