import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing, aProbe, evidence } from '../../../test/support/samples.ts'
import { openStore } from '../../store/open.ts'
import { saveEvidence } from '../../store/transfer/save-evidence.ts'
import { loadConfig } from '../config.ts'
import { databaseFinding } from './store-findings.ts'

onEachEngine('entries that are dated ahead', (engine) => {
  it('are named by the doctor, with what to do', async () => {
    const place = await engine.empty()
    const saved = async (aheadMs: number) => {
      const store = await openStore(place)
      const probes = [aProbe({ atUs: (Date.now() + aheadMs) * 1000 })]
      await saveEvidence(store, evidence({ listings: [aListing()], probes }))
      await store.close()
      const { dataDir, databaseUrl } = place
      return databaseFinding(loadConfig({ DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) }))
    }
    expect(await saved(60_000)).toMatchObject({ state: 'ok' })
    expect(await saved(86_400_000)).toMatchObject({
      state: 'warn',
      what: expect.stringMatching(/has entries of \S+Z, which lies ahead/),
    })
  })
})
