import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onBothEngines } from '../../../../test/support/engines.ts'
import { aChallenge, aListing, aProbe, evidence } from '../../../../test/support/samples.ts'
import { saveEvidence } from '../../transfer/save-evidence.ts'
import { type Difference, verifyStore } from '../../transfer/verify.ts'
import { statedDifferences } from './033-stated-differences.ts'

onBothEngines('the step that compares every field that both sides state', (engine) => {
  it('finds the status of routes again, and what their hosts sum up to', async () => {
    const store = await engine.open()
    await saveEvidence(
      store,
      evidence({
        listings: [aListing({ path: '/masked', network: null }), aListing({ path: '/same' })],
        probes: [
          aProbe({ path: '/masked', challenge: aChallenge(5_000_000) }),
          aProbe({ path: '/same', challenge: aChallenge(10_000) }),
        ],
      }),
    )
    // As a program left it that compared rows with price and network alone.
    await store.write(async (writer) => {
      await sql`update route_state set probe_status = 'unverified' where probe_status = 'differs'`.execute(writer)
      await sql`update host_counters set routes_differs = 0, now_402 = 9`.execute(writer)
      await statedDifferences(writer)
    })
    const states = await store.read.selectFrom('route_state').select('probe_status').orderBy('route_id').execute()
    expect(states.map((state) => state.probe_status)).toEqual(['differs', 'verified'])
    const differences: Difference[] = []
    await verifyStore(store, (difference) => differences.push(difference))
    expect(differences).toEqual([])
  })
})
