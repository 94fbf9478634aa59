import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onBothEngines } from '../../../../test/support/engines.ts'
import { aListing, aRoute, evidence, NOON_US } from '../../../../test/support/samples.ts'
import { saveEvidence } from '../../transfer/save-evidence.ts'
import { type Difference, verifyStore } from '../../transfer/verify.ts'
import { pricesThere } from './035-prices-there.ts'

onBothEngines('the step that leaves routes which are not there out of the lowest price', (engine) => {
  it('finds the lowest price again of hosts that have such routes', async () => {
    const store = await engine.open()
    const [left, gone, sold] = ['left.example', 'gone.example', 'sold.example']
    await saveEvidence(
      store,
      evidence({
        listings: [
          aListing({ host: left, path: '/old', price: 100 }),
          aListing({ host: left, path: '/new', price: 900 }),
          aListing({ host: gone, path: '/old', price: 100 }),
          aListing({ host: sold, path: '/old', price: 100 }),
        ],
        unlisted: [left, gone].map((host) => ({ ...aRoute({ host, path: '/old' }), sinceUs: NOON_US + 9 })),
      }),
    )
    await store.write(async (writer) => {
      // As a program left it that took the lowest price of all routes.
      await sql`update host_counters set price_min = 100`.execute(writer)
      await sql`insert into search_places (word, host_id, place)
        select ':rail:mpp', host_id, 0 from hosts where name <> ${sold}`.execute(writer)
      await pricesThere(writer, store.dialect)
    })
    const found = await sql<{ name: string; price_min: number | null }>`select h.name, c.price_min from hosts as h
      join host_counters as c on c.host_id = h.host_id order by h.name`.execute(store.read)
    expect(found.rows.map(({ name, price_min }) => [name, price_min])).toEqual([
      [gone, null],
      [left, 900],
      [sold, 100],
    ])
    const facets = await sql<{ name: string; word: string }>`select h.name, p.word from search_places as p
      join hosts as h on h.host_id = p.host_id where p.place = 0 order by h.name, p.word`.execute(store.read)
    expect(facets.rows.map(({ name, word }) => [name, word])).toEqual(
      [left, sold].flatMap((name) => [
        [name, ':network:eip155:8453'],
        [name, ':rail:x402'],
      ]),
    )
    const differences: Difference[] = []
    await verifyStore(store, (difference) => differences.push(difference))
    expect(differences).toEqual([])
  })
})
