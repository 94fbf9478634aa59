import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing } from '../../../test/support/samples.ts'
import { saveListings } from '../../store/facts/save-listings.ts'
import { parseWellKnown } from '../sources/well-known.ts'
import { withRoom, withRoomBelow } from './with-room.ts'

onEachEngine('room for what a source says', (engine) => {
  it('gives a host so many routes of one source over time, and tells what there was no room for', async () => {
    const store = await engine.open()
    const paths = ['/v1/a', '/v1/b', '/v1/c']
    await saveListings(store, { listings: paths.map((path) => aListing({ path, source: 'well-known' })) })
    const base = 'https://api.seller.example/.well-known/x402'
    const resources = ['/v1/a', '/v2/a', '/v2/b'].map((path) => ({ path, price: '$0.05' }))
    const found = parseWellKnown({ resources }, { allow: [], base })
    const room = (source: string, most: number) => withRoom(store, source, found, most)
    expect(found.listings).toHaveLength(3)
    expect(await room('well-known', 4)).toEqual(found)
    expect(await room('openapi', 3)).toEqual(found)
    expect(await room('well-known', 3)).toEqual({
      ...found,
      listings: found.listings.slice(0, 1),
      refused: [{ reason: 'too_many', item: '2 new routes of api.seller.example' }],
    })
  })

  it('takes so many hosts below one registered name from the documents of sellers, however many there are', async () => {
    const store = await engine.open()
    const known = ['api.shop.example', 'a.shop.example', 'b.shop.example:8443', 'notshop.example', 'c.other.example']
    await saveListings(store, { listings: known.map((host) => aListing({ host })) })
    const seller = 'a.shop.example'
    const names = ['a', 'a.a', 'b.a', 'c.a'].map((name) => `https://${name}.shop.example/v1/x`)
    const found = parseWellKnown({ resources: names, price: '$0.05' }, { allow: [], base: `https://${seller}/x402` })
    expect(found.listings).toHaveLength(4)
    const room = (most: number) => withRoomBelow(store, seller, found, most)
    expect(await room(6)).toEqual(found)
    const refused = (n: number) => [{ reason: 'too_many', item: `${n} new hosts below shop.example` }]
    expect(await room(5)).toEqual({ ...found, listings: found.listings.slice(0, 3), refused: refused(1) })
    expect(await room(2)).toEqual({ ...found, listings: found.listings.slice(0, 1), refused: refused(3) })
    // Those that are known go on to be named.
    await saveListings(store, { listings: [aListing({ host: 'a.a.shop.example' })] })
    expect((await room(2)).listings.map(({ address }) => address.host)).toEqual([seller, 'a.a.shop.example'])
  })
})
