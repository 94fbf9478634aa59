import { expect, it } from 'vitest'
import { directoryOf } from '../../test/support/directory.ts'
import { onEachEngine } from '../../test/support/engines.ts'
import { aListing, aProbe, evidence, NOON_US } from '../../test/support/samples.ts'
import { saveListings } from '../store/facts/save-listings.ts'
import { saveEvidence } from '../store/transfer/save-evidence.ts'
import { cataloguePart, partsOf } from './catalogue.ts'

const DAY_US = 86_400_000_000

it('a list of all hosts has a part for every 40,000', () => {
  expect([0, 1, 40_000, 40_001, 1_000_000].map(partsOf)).toEqual([1, 1, 1, 2, 25])
})

onEachEngine('what is read over many hosts', (engine) => {
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

  it('counts results of exactly the days that it names', async () => {
    const store = await engine.open()
    const at = (days: number, httpStatus: number | null) => aProbe({ atUs: NOON_US - days * DAY_US, httpStatus })
    const probes = [at(0, 402), at(1, 200), at(29, 402), at(29.4, null), at(29.6, 402), at(30, 500)]
    await saveEvidence(store, evidence({ listings: [aListing()], probes }))
    const directory = directoryOf(store, [], () => NOON_US)
    expect(await directory.recentResults('api.seller.example', 30)).toMatchObject({
      host: 'api.seller.example',
      days: 30,
      results: { answers: 1, '402-correct': 2, failed: 0, unreachable: 1 },
      now: { httpStatus: 402, sinceUs: NOON_US, routes: 1, of: 1 },
    })
    expect(await directory.recentResults('nobody.example', 30)).toBeUndefined()
    await saveEvidence(store, evidence({ probes: [aProbe({ host: 'young.example', atUs: NOON_US - 2 * DAY_US })] }))
    expect(await directory.recentResults('young.example', 30)).toMatchObject({ days: 3 })
  })
})
