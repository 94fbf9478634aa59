import { expect, it } from 'vitest'
import { onEachEngine } from '../../test/support/engines.ts'
import { aListing } from '../../test/support/samples.ts'
import { saveListings } from '../store/facts/save-listings.ts'
import { cataloguePart, partsOf } from './catalogue.ts'

it('a list of all hosts has a part for every 40,000', () => {
  expect([0, 1, 40_000, 40_001, 1_000_000].map(partsOf)).toEqual([1, 1, 1, 2, 25])
})

onEachEngine('a list of all hosts', (engine) => {
  it('has every host in exactly one part', async () => {
    const store = await engine.open()
    const hosts = Array.from({ length: 1500 }, (_, n) => `h${n}.seller.example`)
    await saveListings(store, { listings: hosts.map((host) => aListing({ host })) })
    for (const of of [1, 3]) {
      const found: string[] = []
      const sizes: number[] = []
      for (let part = 1; part <= of; part++) {
        const before = found.length
        for await (const rows of cataloguePart(store, part, of)) found.push(...rows.map((row) => row.host))
        sizes.push(found.length - before)
      }
      expect(found.toSorted()).toEqual(hosts.toSorted())
      for (const size of sizes) expect(size).toBeGreaterThan(1200 / of)
    }
  })
})
