import { expect, it } from 'vitest'
import { saveListings } from '../../../src/store/facts/save-listings.ts'
import { openStore } from '../../../src/store/open.ts'
import { onBothEngines } from '../../../test/support/engines.ts'
import { listingOf, routeOf } from '../data.ts'
import { bareCopy } from './bare-copy.ts'

onBothEngines('a bare copy', (engine) => {
  it('holds what the store holds, beside what an empty one holds', async () => {
    const [from, to] = [await engine.empty(), await engine.empty()]
    const store = await openStore(from)
    const listings = Array.from({ length: 120 }, (_, n) => listingOf(routeOf('a.bench.example', n), n))
    await saveListings(store, { listings })
    await store.close()
    const { rows } = await bareCopy(from, to, 2)
    expect(rows).toBeGreaterThan(listings.length * 3)
    const copy = await openStore(to)
    const [found] = await copy.read
      .selectFrom('listings')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .execute()
    expect(Number(found?.n)).toBe(listings.length)
    await copy.close()
  })
})
