import { expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing } from '../../../test/support/samples.ts'
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
