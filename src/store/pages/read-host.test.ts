import { expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing, aRoute, NOON_US } from '../../../test/support/samples.ts'
import { growLog } from '../../../test/support/sequenced-log.ts'
import { saveListings } from '../facts/save-listings.ts'

const HOST = 'api.seller.example'
const FIRST = { limit: 50, cursor: null }

onEachEngine('the routes of a host', (engine) => {
  it('orders routes by path, then method, by bytes, and pages through all of them once', async () => {
    const store = await engine.open()
    const paths = ['/b', '/a', '/a/b', '/A', '/é', '/z', '/a?x=1', '/a%7Bid%7D', '/:id', '/{id}', '', '/𐀀', '/\uffee']
    const listings = paths.flatMap((path) => [
      aListing({ path, method: 'POST' }),
      aListing({ path, method: 'GET' }),
      aListing({ path, method: 'GET', rail: 'mpp' }),
    ])
    await saveListings(store, { listings })
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

  it('says with a view, a page of a route and a decision of which version the host is', async () => {
    const store = await engine.open()
    const directory = directoryOf(store)
    const said: (number | undefined)[] = []
    const asked = aRoute()
    const look = async (): Promise<void> => {
      said.length = 0
      const hear = (version: number): void => void said.push(version)
      await directory.hostView(HOST, FIRST, hear)
      await directory.route(HOST, asked, FIRST, hear)
      await directory.decision(HOST, asked, hear)
    }
    await look()
    expect(said).toEqual([])
    await saveListings(store, { listings: [aListing()] })
    await look()
    const first = await directory.hostVersion(HOST)
    expect(said).toEqual([first, first, first])
    // Once more when the log has all of it.
    await growLog(store)
    await look()
    const logged = await directory.hostVersion(HOST)
    expect(logged).not.toBe(first)
    expect(said).toEqual([logged, logged, logged])
  })

  it('chooses routes by a part of their path, in upper or lower case, also of letters beyond A to Z', async () => {
    const store = await engine.open()
    const paths = ['/Élan', '/élan', '/FÊTE', '/ПОГОДА/x', '/погода/y', '/100%_é']
    await saveListings(store, { listings: paths.map((path) => aListing({ path })) })
    const found = async (q: string) => {
      const page = await directoryOf(store).routes(HOST, { limit: 50, cursor: null, q })
      expect(page?.total).toBe(page?.items.length)
      return page?.items.map(({ path }) => path)
    }
    for (const q of ['Élan', 'élan', 'ÉLAN', 'ÉlAN']) expect([q, await found(q)]).toEqual([q, ['/Élan', '/élan']])
    for (const q of ['fête', 'Fête', 'FÊTE']) expect([q, await found(q)]).toEqual([q, ['/FÊTE']])
    expect(await found('Погода')).toEqual(['/ПОГОДА/x', '/погода/y'])
    expect(await found('%_É')).toEqual(['/100%_é'])
  })

  it('cuts the host view and says how it goes on', async () => {
    const store = await engine.open()
    const listings = Array.from({ length: 60 }, (_, i) => aListing({ path: `/${String(i).padStart(3, '0')}` }))
    await saveListings(store, { listings })
    const directory = directoryOf(store)
    const view = await directory.hostView(HOST, FIRST)
    expect(view?.routes).toHaveLength(50)
    expect(view?.counters.routes).toBe(60)
    const rest = await directory.hostView(HOST, { limit: 50, cursor: view?.nextRoutes ?? null })
    expect(rest?.routes.map((route) => route.path)).toEqual(listings.slice(50).map((listing) => listing.path))
    expect(rest?.nextRoutes).toBeNull()
  })

  it('shows the newest listing rows and those that the price follows from, and says how many there are', async () => {
    const store = await engine.open()
    const hourly = Array.from({ length: 230 }, (_, n) =>
      aListing({ source: 'hourly', price: 10_000 + n, firstUs: NOON_US + n, lastUs: NOON_US + n }),
    )
    const daily = aListing({ source: 'daily', price: 5000, firstUs: NOON_US - 9, lastUs: NOON_US - 9 })
    const dear = aListing({ source: 'weekly', price: 90_000, firstUs: NOON_US - 8, lastUs: NOON_US - 8 })
    await saveListings(store, { listings: [daily, dear, ...hourly, aListing({ path: '/few' })] })
    const directory = directoryOf(store)
    const view = await directory.hostView(HOST, FIRST)
    expect(view?.routes.map(({ path, listingsTotal }) => [path, listingsTotal])).toEqual([
      ['/few', 1],
      ['/v1/weather', 232],
    ])
    const { route } = (await directory.route(HOST, aListing(), FIRST)) ?? {}
    for (const [shown, most] of [
      [view?.routes[1], 20],
      [route, 200],
    ] as const) {
      expect(shown).toMatchObject({ price: 5000, network: 'base', spread: { low: 5000, high: 90_000 } })
      const newest = hourly.toReversed().slice(0, most - 2)
      const rows = [...newest, dear, daily].map(({ source, price }) => [source, price])
      expect(shown?.listings.map(({ source, price }) => [source, price])).toEqual(rows)
      expect(shown?.listingsTotal).toBe(232)
    }
  })

  it('refuses a cursor of another list', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: [aListing(), aListing({ path: '/z' })] })
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
