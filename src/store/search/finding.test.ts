import { expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aChallenge, aListing, aProbe, evidence, NOON_US } from '../../../test/support/samples.ts'
import { DAY_US } from '../../domain/time/day.ts'
import type { HostQuery } from '../../views/host/hosts-view.ts'
import type { Store } from '../store.ts'
import { saveEvidence } from '../transfer/save-evidence.ts'
import { verifyStore } from '../transfer/verify.ts'

const QUERY: HostQuery = {
  ...{ q: null, rail: null, network: null, maxPrice: null, result: null },
  ...{ sort: 'host', limit: 50, cursor: null },
}

const SELLERS = [
  { host: 'dear.example', image: 500_000, other: 100, asks: 500_000, latencyMs: 40 },
  { host: 'cheap.example', image: 2000, other: 900, asks: 2000, latencyMs: 400 },
  { host: 'changed.example', image: 30_000, other: 500, asks: 90_000, latencyMs: 90 },
] as const

onEachEngine('what readers look for', (engine) => {
  const filled = async (): Promise<Store> => {
    const store = await engine.open()
    for (const { host, image, other, asks, latencyMs } of SELLERS) {
      const one = { host, path: '/v1/images', description: 'Makes an image of a text.' }
      const two = { host, path: '/v1/translate' }
      await saveEvidence(
        store,
        evidence({
          listings: [aListing({ ...one, price: image }), aListing({ ...two, price: other })],
          probes: [aProbe({ ...one, latencyMs, challenge: aChallenge(asks) })],
        }),
      )
    }
    await saveEvidence(
      store,
      evidence({ listings: [aListing({ host: 'silent.example', path: '/x', price: null, network: 'solana' })] }),
    )
    return store
  }
  const search = async (store: Store, more: Partial<HostQuery>) =>
    (await directoryOf(store, [], () => NOON_US).hosts({ ...QUERY, ...more })).items
  const names = async (store: Store, more: Partial<HostQuery>) => (await search(store, more)).map(({ host }) => host)

  it('is every host that is named among other words, in their order', async () => {
    const store = await filled()
    const q = 'dear.example vs Cheap.example.'
    expect(await names(store, { q, sort: 'match' })).toEqual(['dear.example', 'cheap.example'])
    expect(await names(store, { q, sort: 'match', maxPrice: 100_000 })).toEqual(['dear.example', 'cheap.example'])
    expect(await names(store, { q, sort: 'match', limit: 1 })).toEqual(['dear.example'])
    const [asked] = await search(store, { q: 'what do images of cheap.example cost?', sort: 'match' })
    expect([asked?.host, asked?.match?.path]).toEqual(['cheap.example', '/v1/images'])
    const page = await directoryOf(store).hosts({ ...QUERY, q: 'cheap.example, gone.example', sort: 'match' })
    expect(page.items.map(({ host }) => host)).toEqual(['cheap.example'])
    expect(page.forgiven).toEqual([{ word: 'gone.example', takenFor: [] }])
    expect(await names(store, { q: 'gone.example images', sort: 'match' })).toEqual([])
  })

  it('is the route that a pasted command calls', async () => {
    const store = await filled()
    const q = "curl -X POST 'https://cheap.example/v1/translate?to=de' -H 'accept: text/html'"
    const [found] = await search(store, { q, sort: 'match' })
    expect([found?.host, found?.match?.path]).toEqual(['cheap.example', '/v1/translate'])
  })

  it('is sorted by the lowest price and by the lowest median, what has none last, page by page', async () => {
    const store = await filled()
    expect(await names(store, { sort: 'price' })).toEqual([
      'dear.example',
      'changed.example',
      'cheap.example',
      'silent.example',
    ])
    expect(await names(store, { sort: 'latency' })).toEqual([
      'dear.example',
      'changed.example',
      'cheap.example',
      'silent.example',
    ])
    const directory = directoryOf(store)
    for (const sort of ['price', 'latency'] as const) {
      const paged: string[] = []
      for (let cursor: string | null = null; ; ) {
        const page = await directory.hosts({ ...QUERY, sort, limit: 1, cursor })
        paged.push(...page.items.map(({ host }) => host))
        cursor = page.next
        if (cursor === null) break
      }
      expect(paged).toEqual(await names(store, { sort }))
    }
  })

  it('is sorted by the price of what was looked for, not of what else a host sells', async () => {
    const store = await filled()
    const rows = await search(store, { q: 'cheap images api', sort: 'price' })
    expect(rows.map(({ host, match }) => [host, match?.path, match?.price])).toEqual([
      ['cheap.example', '/v1/images', 2000],
      ['changed.example', '/v1/images', 30_000],
      ['dear.example', '/v1/images', 500_000],
    ])
    expect(rows[0]?.description?.text).toBe('Makes an image of a text.')
  })

  it('is sorted by what it costs on the rail and network that are asked for', async () => {
    const store = await filled()
    const mpp = { path: '/v1/images', rail: 'mpp', network: 'tempo:4217' } as const
    await saveEvidence(
      store,
      evidence({
        listings: [
          aListing({ ...mpp, host: 'dear.example', price: 40 }),
          aListing({ ...mpp, host: 'cheap.example', price: 7000 }),
          aListing({ ...mpp, host: 'changed.example', price: null }),
          aListing({ host: 'cheap.example', path: '/v1/images', price: 600_000, network: 'solana' }),
          aListing({ host: 'changed.example', path: '/v1/images', price: 3000, network: 'solana' }),
        ],
      }),
    )
    const shown = async (more: Partial<HostQuery>) =>
      (await search(store, { sort: 'price', ...more })).map(({ host, match }) => [host, match?.price ?? null])
    expect(await shown({ rail: 'x402' })).toEqual([
      ['dear.example', 100],
      ['changed.example', 500],
      ['cheap.example', 900],
      ['silent.example', null],
    ])
    expect(await shown({ rail: 'mpp' })).toEqual([
      ['dear.example', 40],
      ['cheap.example', 7000],
      ['changed.example', null],
    ])
    expect(await shown({ network: 'solana', maxPrice: 600_000 })).toEqual([
      ['changed.example', 3000],
      ['cheap.example', 600_000],
    ])
    expect((await search(store, {})).map(({ match }) => match)).toEqual([null, null, null, null])
    expect(await shown({ q: 'images', rail: 'mpp' })).toEqual([
      ['dear.example', 40],
      ['cheap.example', 7000],
      ['changed.example', null],
    ])
    expect(await shown({ q: 'images', rail: 'x402' })).toEqual([
      ['cheap.example', 2000],
      ['changed.example', 3000],
      ['dear.example', 500_000],
    ])
    expect(await shown({ q: 'images', network: 'solana' })).toEqual([
      ['changed.example', 3000],
      ['cheap.example', 600_000],
    ])
  })

  it('is an address that somebody pasted: its host alone, and that very route', async () => {
    const store = await filled()
    const many = Array.from({ length: 30 }, (_, n) =>
      aListing({ host: 'dear.example', path: `/v1/images/${n}`, price: n }),
    )
    const template = aListing({ host: 'dear.example', path: '/v2/{city}/now' })
    await saveEvidence(store, evidence({ listings: [...many, template] }))
    const shown = async (q: string) =>
      (await search(store, { q, sort: 'match' })).map(({ host, match }) => [host, match?.path ?? null])
    for (const q of [
      ...['https://dear.example/v1/images', 'dear.example/v1/images', 'GET https://dear.example/v1/images#top'],
      ...['DEAR.example:443/v1/images', 'POST dear.example/v1/images?size=9'],
    ]) {
      expect(await shown(q), q).toEqual([['dear.example', '/v1/images']])
    }
    expect(await shown('https://dear.example/v2/oslo/now')).toEqual([['dear.example', '/v2/{city}/now']])
    expect(await shown('https://dear.example/other')).toEqual([['dear.example', null]])
    expect(await shown('https://dear.example/')).toEqual(await shown('dear.example'))
    expect((await shown('GET /v1/translate')).toSorted()).toEqual(
      SELLERS.map(({ host }) => [host, '/v1/translate']).toSorted(),
    )
    expect(await shown('https://nobody.example/v1/images')).toEqual([])
  })

  it('is shown by the route with the nearest path where that of a pasted address is mistyped', async () => {
    const store = await filled()
    const host = 'typo.example'
    const listings = ['/v1/now', '/v1/forecast', '/v1/news'].map((path, at) =>
      aListing({ host, path, price: 1000 + at }),
    )
    await saveEvidence(store, evidence({ listings }))
    const shown = async (path: string) =>
      (await search(store, { q: `https://${host}${path}`, sort: 'match' })).map(({ match }) => match?.path ?? null)
    expect(await shown('/v1/frecast')).toEqual(['/v1/forecast'])
    expect(await shown('/v1/newss')).toEqual(['/v1/news'])
    expect(await shown('/other')).toEqual([null])
  })

  it('is shown by a route that the filters take, where one has the words or the host is called so', async () => {
    const store = await filled()
    const shown = async (more: Partial<HostQuery>) =>
      (await search(store, more)).map(({ host, match }) => [host, match?.path ?? null])
    for (const sort of ['match', 'price'] as const) {
      expect(await shown({ q: 'images', maxPrice: 1000, sort })).toEqual([])
      expect(await shown({ q: 'images', maxPrice: 2000, sort })).toEqual([['cheap.example', '/v1/images']])
      expect(await shown({ q: 'images', check: 'differs', sort })).toEqual([['changed.example', '/v1/images']])
      expect(await shown({ q: 'translate', check: 'verified', sort })).toEqual([])
      // Nothing else leads to them.
      expect(await shown({ q: 'translate dear', maxPrice: 1000, sort })).toEqual([['dear.example', '/v1/translate']])
      expect(await shown({ q: 'images dear', maxPrice: 1000, sort })).toEqual([])
      expect(await shown({ q: 'https://dear.example/v1/images', maxPrice: 1000, sort })).toEqual([
        ['dear.example', '/v1/translate'],
      ])
    }
    expect(await shown({ q: 'dear', maxPrice: 1000 })).toEqual([['dear.example', '/v1/translate']])
    expect(await shown({ q: 'dear', check: 'verified' })).toEqual([['dear.example', '/v1/images']])
    expect(await shown({ q: 'dear' })).toEqual([['dear.example', null]])
    const more = { host: 'dear.example', path: '/v1/images', price: 7 }
    await saveEvidence(
      store,
      evidence({
        listings: [
          aListing({ ...more, rail: 'mpp', network: 'tempo:4217' }),
          aListing({ ...more, path: '/v2/images' }),
        ],
      }),
    )
    const [dear] = await search(store, { q: 'images', rail: 'mpp' })
    expect(dear?.match).toMatchObject({ path: '/v1/images', rail: 'mpp', price: 7 })
    expect((await search(store, { q: 'images', network: 'tempo:4217' }))[0]?.match).toMatchObject({ rail: 'mpp' })
    expect(await shown({ q: 'dear images', maxPrice: 1000, rail: 'x402' })).toEqual([['dear.example', '/v2/images']])
  })

  it('costs no more on the network that is asked for, where it is still offered, and shows what it costs there', async () => {
    const store = await engine.open()
    const on = (host: string, network: string, price: number, more = {}) =>
      aListing({ host: `${host}.example`, path: '/zebra', source: network, network, price, ...more })
    await saveEvidence(
      store,
      evidence({
        listings: [
          ...[on('dearer', 'solana', 10_000), on('dearer', 'base', 250_000)],
          ...[on('ended', 'solana', 10_000), on('ended', 'base', 10_000, { goneUs: NOON_US + 9 })],
          ...[on('raised', 'base', 10_000), on('raised', 'base', 90_000, { lastUs: NOON_US + 9 })],
          ...[on('both', 'base', 20_000), on('both', 'solana', 10_000)],
          ...[on('unpriced', 'solana', 10_000), on('unpriced', 'base', 10_000, { price: null })],
        ],
        probes: [aProbe({ host: 'both.example', path: '/zebra', challenge: aChallenge(10_000, 'solana') })],
      }),
    )
    const shown = async (more: Partial<HostQuery>) =>
      (await search(store, more)).map(({ host, match }) => [host, match?.price, match?.network, match?.probeStatus])
    for (const q of [null, 'zebra'])
      expect(await shown({ q, network: 'base', maxPrice: 50_000 })).toEqual([
        ['both.example', 20_000, 'base', 'unverified'],
      ])
    expect(await shown({ q: 'both', network: 'solana' })).toEqual([['both.example', 10_000, 'solana', 'verified']])
    expect((await shown({ q: 'dearer', network: 'base' }))[0]?.[1]).toBe(250_000)
  })

  it('is checked on the network that is asked for, by the row that is shown there', async () => {
    const store = await engine.open()
    const on = (network: string, price: number | null, more = {}) =>
      aListing({ host: 'two.example', path: '/zebra', source: network, network, price, ...more })
    await saveEvidence(
      store,
      evidence({
        listings: [
          on('base', 10_000),
          on('solana', 200),
          on('polygon', null),
          on('tempo', 10, { goneUs: NOON_US + 9 }),
        ],
        probes: [aProbe({ host: 'two.example', path: '/zebra', challenge: aChallenge(10_000) })],
      }),
    )
    const shown = async (more: Partial<HostQuery>) =>
      (await search(store, { q: 'zebra', ...more })).map(({ match }) => [
        match?.price,
        match?.network,
        match?.probeStatus,
      ])
    expect(await names(store, { network: 'solana', check: 'verified', maxPrice: 500 })).toEqual([])
    expect(await names(store, { network: 'solana', check: 'verified' })).toEqual([])
    expect(await names(store, { network: 'solana', check: 'unverified' })).toEqual(['two.example'])
    expect(await names(store, { network: 'base', check: 'verified' })).toEqual(['two.example'])
    expect(await names(store, { network: 'base', check: 'unverified' })).toEqual([])
    expect(await shown({ network: 'solana', check: 'unverified' })).toEqual([[200, 'solana', 'unverified']])
    expect(await shown({ network: 'base', check: 'verified' })).toEqual([[10_000, 'base', 'verified']])
    // No price is stated there, and nothing is sold there any more.
    expect(await shown({ network: 'polygon' })).toEqual([[null, 'polygon', 'unverified']])
    expect(await names(store, { network: 'tempo' })).toEqual([])
    expect(await names(store, { check: 'verified' })).toEqual(['two.example'])
  })

  it('is shown with what sources say differently of its price', async () => {
    const store = await engine.open()
    const said = (price: number) => aListing({ path: '/zebra', source: `s${price}`, price })
    await saveEvidence(store, evidence({ listings: [said(500), said(250_000), aListing({ path: '/heron' })] }))
    expect((await search(store, { q: 'zebra' }))[0]?.match?.spread).toEqual({ low: 500, high: 250_000 })
    expect((await search(store, { q: 'heron' }))[0]?.match?.spread).toBeNull()
  })

  it('is found by words of the same family', async () => {
    const store = await filled()
    for (const q of ['translation', 'translator', 'translating', 'translate', 'image', 'images'])
      expect((await names(store, { q })).length, q).toBe(3)
  })

  it('is kept by its price check, which is of one and the same route as the rest', async () => {
    const store = await filled()
    expect(await names(store, { check: 'verified' })).toEqual(['cheap.example', 'dear.example'])
    expect(await names(store, { check: 'differs' })).toEqual(['changed.example'])
    expect(await names(store, { check: 'unverified' })).toHaveLength(4)
    expect(await names(store, { check: 'verified', maxPrice: 10_000 })).toEqual(['cheap.example'])
    expect(await names(store, { check: 'verified', network: 'solana' })).toEqual([])
    const [changed] = await search(store, { check: 'differs' })
    expect(changed?.check).toMatchObject({
      ...{ verified: 0, differs: 1 },
      asks: { offers: [{ price: 90_000, network: 'eip155:8453' }] },
      listed: { price: 30_000, network: 'base', rail: 'x402' },
    })
  })

  it('has facets from what is there, with how many hosts have each', async () => {
    const store = await filled()
    const { facets } = await directoryOf(store, [], () => NOON_US + DAY_US / 2).home(QUERY)
    expect(facets).toEqual({
      rails: [{ value: 'x402', hosts: 4 }],
      networks: [
        { value: 'eip155:8453', hosts: 3 },
        { value: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', hosts: 1 },
      ],
      ceilings: [
        { value: 1000, hosts: 3 },
        { value: 10_000, hosts: 3 },
        { value: 100_000, hosts: 3 },
        { value: 1_000_000, hosts: 3 },
      ],
      checks: [
        { value: 'unverified', hosts: 4 },
        { value: 'verified', hosts: 2 },
        { value: 'differs', hosts: 1 },
      ],
      requestedToday: 3,
    })
    const differences: unknown[] = []
    await verifyStore(store, (one) => differences.push(one))
    expect(differences).toEqual([])
  })
})
