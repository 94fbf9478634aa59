import { expect, it } from 'vitest'
import { directoryOf } from '../../test/support/directory.ts'
import { onEachEngine } from '../../test/support/engines.ts'
import { aListing, aProbe, evidence, NOON_US } from '../../test/support/samples.ts'
import { DAY_US } from '../domain/time/day.ts'
import { saveEvidence } from '../store/transfer/save-evidence.ts'

onEachEngine('recent results of a host', (engine) => {
  it('are of exactly the days that they name', async () => {
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
