import { expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing, aProbe, NOON_US } from '../../../test/support/samples.ts'
import { saveListings } from '../facts/save-listings.ts'
import { saveProbes } from '../probes/save-probes.ts'
import { FEW_SAMPLES } from './summaries.ts'

const HOST = 'api.seller.example'

onEachEngine('the median of a host in lists', (engine) => {
  it('is that of its own view while it has few entries, and of a tenth fewer at most after that', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: [aListing()] })
    const latencies: number[] = []
    const add = async (entries: number) => {
      const more = Array.from({ length: entries }, (_, n) => ((latencies.length + n) * 7919) % 1000)
      const probes = more.map((latencyMs, n) => aProbe({ atUs: NOON_US + latencies.length + n, latencyMs }))
      latencies.push(...more)
      await saveProbes(store, { probes })
    }
    const inLists = async () => {
      const row = await store.read.selectFrom('host_counters').selectAll().executeTakeFirstOrThrow()
      return { medianMs: (row.median_sum_ms ?? Number.NaN) / 2, samples: row.median_samples }
    }
    const shown = async () => (await directoryOf(store).hostView(HOST, { limit: 1, cursor: null }))?.latency?.medianMs
    for (const entries of [1, 1, 9, 1, 1, 1, 5, 1, 60, 3, 16, 1]) {
      await add(entries)
      expect(await inLists()).toEqual({ medianMs: await shown(), samples: latencies.length })
    }
    expect(latencies).toHaveLength(FEW_SAMPLES)
    for (const entries of [5, 5, 5, 5]) {
      await add(entries)
      expect((await inLists()).samples * 11).toBeGreaterThan(latencies.length * 10)
    }
  })
})
