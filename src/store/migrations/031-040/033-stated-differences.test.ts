import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onBothEngines } from '../../../../test/support/engines.ts'
import { aChallenge, aListing, aProbe, evidence, NOON_US } from '../../../../test/support/samples.ts'
import { saveEvidence } from '../../transfer/save-evidence.ts'
import { type Difference, verifyStore } from '../../transfer/verify.ts'
import { statedDifferences } from './033-stated-differences.ts'

const ENDED = [10_000, 20_000].map((price) => aListing({ path: '/z', source: `${price}`, price, goneUs: NOON_US + 9 }))

onBothEngines('the step that compares every field that both sides state', (engine) => {
  it('finds the status of routes again, and what their hosts sum up to', async () => {
    const store = await engine.open()
    await saveEvidence(
      store,
      evidence({
        listings: [aListing({ path: '/masked', network: null }), aListing({ path: '/same' }), ...ENDED],
        probes: [
          aProbe({ path: '/masked', challenge: aChallenge(5_000_000) }),
          aProbe({ path: '/same', challenge: aChallenge(10_000) }),
        ],
      }),
    )
    // As a program left it that compared rows with price and network alone.
    await store.write(async (writer) => {
      await sql`update route_state set probe_status = 'unverified' where probe_status = 'differs'`.execute(writer)
      await sql`update route_state set price_low = 10000, price_high = 20000 where challenge_id is null`.execute(writer)
      await sql`update host_counters set routes_differs = 0, now_402 = 9`.execute(writer)
      await statedDifferences(writer)
    })
    const states = await sql<{ path: string; probe_status: string; price_low: number | null }>`select
        r.path, s.probe_status, s.price_low
      from route_state as s join routes as r on r.host_id = s.host_id and r.route_id = s.route_id
      order by r.path`.execute(store.read)
    expect(states.rows.map(({ path, probe_status, price_low }) => [path, probe_status, price_low])).toEqual([
      ['/masked', 'differs', null],
      ['/same', 'verified', null],
      ['/z', 'unverified', null],
    ])
    const differences: Difference[] = []
    await verifyStore(store, (difference) => differences.push(difference))
    expect(differences).toEqual([])
  })
})
