import { expect, it } from 'vitest'
import { ALL_HOSTS, directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing, aProbe, evidence, NOON_US } from '../../../test/support/samples.ts'
import { saveEvidence } from '../../store/transfer/save-evidence.ts'

onEachEngine('the totals of the directory', (engine) => {
  it('are right soon after the last write, and whoever showed older ones is told', async () => {
    const store = await engine.open()
    const directory = directoryOf(store)
    const query = { ...ALL_HOSTS, limit: 1 }
    const told: { epoch: number; probes: number }[] = []
    for (let n = 0; n < 30; n++) {
      await saveEvidence(store, evidence({ listings: [aListing()], probes: [aProbe({ atUs: NOON_US + n })] }))
      told.push({ epoch: directory.epoch(), probes: (await directory.home(query)).totals.probes })
    }
    await expect
      .poll(
        async () => {
          // What a page cache does: made again only when the epoch moved.
          const last = told.at(-1)
          if (last && last.epoch !== directory.epoch()) {
            told.push({ epoch: directory.epoch(), probes: (await directory.home(query)).totals.probes })
          }
          return told.at(-1)?.probes
        },
        { timeout: 5000 },
      )
      .toBe(30)
  })
})
