import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { ALL_HOSTS, directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing } from '../../../test/support/samples.ts'
import type { HostQuery } from '../../views/host/hosts-view.ts'
import { saveListings } from '../facts/save-listings.ts'
import { search } from '../migrations/001-010/005-search.ts'
import { addFacets } from '../migrations/001-010/007-descriptions.ts'
import type { Store } from '../store.ts'
import { fillHosts } from './testing/many-hosts.ts'

const QUERY: HostQuery = { ...ALL_HOSTS, sort: 'match' }

const found = async (store: Store, q: string, more: Partial<HostQuery> = {}): Promise<string[]> =>
  (await directoryOf(store).hosts({ ...QUERY, q, ...more })).items.map((row) => row.host)

/** Every page, one after the other. */
async function paged(store: Store, q: string | null, more: Partial<HostQuery>): Promise<string[]> {
  const names: string[] = []
  let cursor: string | null = null
  do {
    const page = await directoryOf(store).hosts({ ...QUERY, q, ...more, cursor })
    names.push(...page.items.map((row) => row.host))
    cursor = page.next
  } while (cursor !== null)
  return names
}

onEachEngine('searching hosts', (engine) => {
  const filled = async (): Promise<Store> => {
    const store = await engine.open()
    const listings = [
      aListing({ host: 'weather.example', path: '/v1/now', source: 'bazaar-cdp' }),
      aListing({ host: 'api.weather.example', path: '/v1/now', price: 50_000 }),
      aListing({ host: 'myweathermap.example', path: '/tiles' }),
      aListing({ host: 'many.example', path: '/v1/weather', rail: 'mpp' }),
      aListing({ host: 'many.example', path: '/v1/translate' }),
      aListing({ host: 'feather.example', path: '/pillows', source: 'own-list' }),
      aListing({ host: 'xn--mnchen-3ya.example', path: '/st%C3%A4dte' }),
    ]
    await saveListings(store, { listings })
    return store
  }

  it('puts the host of that very name first, then names, then paths', async () => {
    const store = await filled()
    expect(await found(store, 'weather.example')).toEqual([
      'weather.example',
      'api.weather.example',
      'myweathermap.example',
      'many.example',
    ])
    expect(await found(store, 'API.weather.example')).toEqual(['api.weather.example'])
  })

  it('forgives a typing error although hundreds of other words have each of its letter sequences', async () => {
    const store = await engine.open()
    const letters = (n: number, count: number): string =>
      Array.from({ length: count }, (_, at) => String.fromCharCode(97 + (Math.floor(n / 9 ** at) % 9))).join('')
    const others = Array.from({ length: 501 }, (_, n) => [
      `azop${letters(n, 4)}`,
      `aopa${letters(n, 4)}`,
      `a${letters(n, 5)}la`,
      `zoa${letters(n, 5)}`,
    ]).flat()
    const hosts = [...others, 'zopanila'].map((word) => `${word}.example`)
    await saveListings(store, { listings: hosts.map((host) => aListing({ host })) })
    expect(await found(store, 'zopainla')).toContain('zopanila.example')
  })

  it('forgives typing errors in names and paths', async () => {
    const store = await filled()
    expect(await found(store, 'wether')).toEqual(
      expect.arrayContaining(['weather.example', 'api.weather.example', 'many.example']),
    )
    expect(await found(store, 'trasnlate')).toEqual(['many.example'])
    expect(await found(store, 'trnslate')).toEqual(['many.example'])
    expect(await found(store, 'feahter')).toEqual(['feather.example'])
    expect(await found(store, 'quantum')).toEqual([])
  })

  it('says which words nothing found has, and what was taken for them', async () => {
    const store = await filled()
    const forgiven = async (q: string, more: Partial<HostQuery> = {}) =>
      (await directoryOf(store).hosts({ ...QUERY, q, ...more })).forgiven
    expect(await forgiven('wether')).toEqual([{ word: 'wether', takenFor: ['weather'] }])
    expect(await forgiven('many trasnlate')).toEqual([{ word: 'trasnlate', takenFor: ['translate'] }])
    for (const q of ['weather', 'transl', 'translation', 'athermap', 'many weather', 'quantum', 'weather.example'])
      expect([q, await forgiven(q)]).toEqual([q, []])
    expect((await directoryOf(store).home({ ...QUERY, q: 'trasnlate' })).forgiven).toHaveLength(1)
  })

  it('finds beginnings, parts, sources and Unicode names, and needs every word', async () => {
    const store = await filled()
    expect(await found(store, 'transl')).toEqual(['many.example'])
    expect(await found(store, 'athermap')).toEqual(['myweathermap.example'])
    expect(await found(store, 'cdp')).toEqual(['weather.example'])
    expect(await found(store, 'münchen')).toEqual(['xn--mnchen-3ya.example'])
    expect(await found(store, 'städte')).toEqual(['xn--mnchen-3ya.example'])
    expect(await found(store, 'many weather')).toEqual(['many.example'])
    expect(await found(store, 'feather weather')).toEqual([])
    expect(await found(store, '/-')).toEqual([])
  })

  it('keeps the other conditions and orders', async () => {
    const store = await filled()
    expect(await found(store, 'weather', { rail: 'mpp' })).toEqual(['many.example'])
    expect(await found(store, 'weather', { maxPrice: 10_000, sort: 'host' })).toEqual([
      'many.example',
      'myweathermap.example',
      'weather.example',
    ])
    expect((await found(store, 'weather', { sort: 'routes' }))[0]).toBe('many.example')
  })

  it('finds what is added later, and a second sweep adds no words', async () => {
    const store = await filled()
    const words = async () => (await store.read.selectFrom('search_places').select('word').execute()).length
    const before = await words()
    await saveListings(store, { listings: [aListing({ host: 'weather.example', path: '/v1/now' })] })
    expect(await words()).toBe(before)
    await saveListings(store, { listings: [aListing({ host: 'weather.example', path: '/v1/pollen' })] })
    expect(await found(store, 'pollen')).toEqual(['weather.example'])
  })

  it('pages through everything once, in every order, for rare and for common words', async () => {
    const store = await engine.open()
    const hosts = Array.from({ length: 2100 }, (_, n) => `h${n}.common.example`)
    const listings = hosts.map((host, n) => aListing({ host, path: n % 100 === 0 ? '/rarely' : '/often', price: 50 }))
    await saveListings(store, { listings })
    const rare = hosts.filter((_, n) => n % 100 === 0)
    for (const sort of ['match', 'host', 'newest', 'routes', 'reviews'] as const) {
      expect((await paged(store, 'rarely', { sort, limit: 5 })).toSorted(), sort).toEqual(rare.toSorted())
    }
    for (const sort of ['match', 'routes'] as const) {
      expect((await paged(store, 'common', { sort, limit: 200 })).toSorted(), sort).toEqual(hosts.toSorted())
    }
    for (const sort of ['host', 'newest', 'routes', 'reviews'] as const) {
      const all = await paged(store, null, { network: 'base', sort, limit: 200 })
      expect(all.toSorted(), sort).toEqual(hosts.toSorted())
    }
    expect((await paged(store, 'com', { rail: 'x402', limit: 200 })).toSorted()).toEqual(hosts.toSorted())
    expect((await paged(store, 'common often', { limit: 200 })).length).toBe(hosts.length - rare.length)
    await saveListings(store, { listings: rare.map((host) => aListing({ host, path: '/often', price: 90 })) })
    for (const sort of ['match', 'routes'] as const)
      expect((await paged(store, 'often', { sort, maxPrice: 60, limit: 200 })).length).toBe(hosts.length - rare.length)
    const exact = await paged(store, 'h7.common.example', { limit: 200 })
    expect(exact[0]).toBe('h7.common.example')
    await saveListings(store, { listings: [aListing({ host: 'common.example', path: '/x' })] })
    const names = await paged(store, 'common.example', { limit: 200 })
    expect(names[0]).toBe('common.example')
    expect(names).toHaveLength(2101)
    expect(new Set(names).size).toBe(2101)
  })

  it('finds what few hosts have by rail and network alone, in every order, and forgives no name of a facet', async () => {
    const store = await filled()
    await saveListings(store, { listings: [aListing({ host: 'weather.example', network: 'eip155:137' })] })
    for (const sort of ['host', 'newest', 'routes', 'reviews'] as const) {
      expect(await paged(store, null, { rail: 'mpp', sort }), sort).toEqual(['many.example'])
      expect(await paged(store, null, { network: 'polygon', sort }), sort).toEqual(['weather.example'])
      expect(await paged(store, null, { network: 'polygon', rail: 'mpp', sort }), sort).toEqual([])
      expect(await paged(store, 'feather', { network: 'polygon', sort }), sort).toEqual([])
    }
    for (const q of ['rail', 'network', ':rail:mpp', '137']) expect(await found(store, q), q).toEqual([])
  })

  it('walks so far and no further for what no index has, and says where it goes on', async () => {
    const store = await engine.open()
    await fillHosts(store, 10_050)
    await store.write(async (writer) => {
      await writer.updateTable('host_counters').set({ price_min: 1 }).where('host_id', '=', 10_049).execute()
      await sql`insert into route_state (host_id, route_id, price, probe_status, probes, reviews)
        values (10049, 1, 1, 'unverified', 0, 0)`.execute(writer)
    })
    const query = { ...QUERY, maxPrice: 1, sort: 'host' } as const
    const first = await directoryOf(store).hosts(query)
    expect(first.items).toEqual([])
    expect(first.next).not.toBeNull()
    for (const sort of ['host', 'newest', 'routes', 'reviews'] as const) {
      expect(await paged(store, null, { maxPrice: 1, sort }), sort).toEqual(['h10049.example'])
    }
  })

  it('shows one and the same of the routes of a path that are listed for one price', async () => {
    const store = await engine.open()
    const ways = [
      { method: 'POST', rail: 'mpp', scheme: 'https' },
      { method: 'PUT', rail: 'x402', scheme: 'http' },
      { method: 'DELETE', rail: 'x402', scheme: 'https' },
      { method: 'DELETE', rail: 'x402', scheme: 'http' },
      { method: 'DELETE', rail: 'mpp', scheme: 'https' },
      { method: 'PATCH', rail: 'mpp', scheme: 'http' },
    ] as const
    await saveListings(store, { listings: ways.map((way) => aListing({ ...way, path: '/quagga' })) })
    const [row] = (await directoryOf(store).hosts({ ...QUERY, q: 'quagga' })).items
    expect(row?.match).toMatchObject({ method: 'DELETE', rail: 'mpp', scheme: 'https' })
    const [paid] = (await directoryOf(store).hosts({ ...QUERY, q: 'quagga', rail: 'x402' })).items
    expect(paid?.match).toMatchObject({ method: 'DELETE', rail: 'x402', scheme: 'http' })
  })

  it('shows the route that has the word, also where its letters beyond A to Z are capitals', async () => {
    const store = await engine.open()
    const said = { '/cheap': 'Ein Bild', '/x': 'ÜBERSETZUNG', '/Погода': 'Wetter', '/Ärzte': 'Praxen' }
    const listings = Object.entries(said).map(([path, description], n) => aListing({ path, description, price: n + 1 }))
    await saveListings(store, { listings })
    for (const [q, path] of [
      ['Übersetzung', '/x'],
      ['übersetzung', '/x'],
      ['погода', '/Погода'],
      ['ärzte', '/Ärzte'],
    ] as const) {
      const [row] = (await directoryOf(store).hosts({ ...QUERY, q })).items
      expect([q, row?.match?.path]).toEqual([q, path])
    }
  })

  it('indexes what was stored before there was an index', async () => {
    const store = await filled()
    const places = () => store.read.selectFrom('search_places').selectAll().orderBy('word').orderBy('host_id').execute()
    const before = await places()
    await store.write(async (writer) => {
      for (const table of ['search_places', 'search_grams', 'search_words']) {
        await writer.schema.dropTable(table).execute()
      }
      await search(writer, store.dialect)
      await addFacets(writer)
    })
    expect(await places()).toEqual(before)
    expect(await found(store, 'wether')).not.toEqual([])
  })
})
