import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onBothEngines } from '../../../../test/support/engines.ts'
import { aListing, aProbe, evidence, NOON_US } from '../../../../test/support/samples.ts'
import { DAY_US } from '../../../domain/time/day.ts'
import { saveEvidence } from '../../transfer/save-evidence.ts'
import { verifyStore } from '../../transfer/verify.ts'
import { days } from './004-days.ts'

onBothEngines('the step that adds days', (engine) => {
  it('counts them from the entries of a store that had none', async () => {
    const store = await engine.open()
    const statuses = [402, 200, 404, null, 402, 415]
    await saveEvidence(
      store,
      evidence({
        listings: [aListing(), aListing({ host: 'other.example' })],
        probes: statuses.flatMap((httpStatus, index) =>
          ['api.seller.example', 'other.example'].map((host) =>
            aProbe({ host, httpStatus, latencyMs: 100 + index, atUs: NOON_US - index * (DAY_US / 2) }),
          ),
        ),
      }),
    )
    await store.write(async (writer) => {
      await sql`drop table host_days`.execute(writer)
      await sql`alter table host_counters drop column newest_402_us`.execute(writer)
      await days(writer, store.dialect)
    })
    const differences: unknown[] = []
    await verifyStore(store, (one) => differences.push(one))
    expect(differences).toEqual([])
    const rows = await store.read.selectFrom('host_days').selectAll().execute()
    expect(rows).toHaveLength(6)
  })
})
