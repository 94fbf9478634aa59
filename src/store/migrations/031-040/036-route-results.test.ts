import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onBothEngines } from '../../../../test/support/engines.ts'
import { aProbe, NOON_US } from '../../../../test/support/samples.ts'
import { DAY_US } from '../../../domain/time/day.ts'
import { retain } from '../../probes/retention.ts'
import { saveProbes } from '../../probes/save-probes.ts'
import { type Difference, verifyStore } from '../../transfer/verify.ts'
import { routeResults } from './036-route-results.ts'

onBothEngines('the step that adds the classes that routes had entries of', (engine) => {
  it('finds them in what is kept and in what was folded', async () => {
    const store = await engine.open()
    const old = NOON_US - 600 * DAY_US
    await saveProbes(store, {
      probes: [
        aProbe({ path: '/both', httpStatus: null, atUs: old }),
        aProbe({ path: '/both', httpStatus: 200 }),
        aProbe({ path: '/folded', httpStatus: 500, atUs: old }),
        aProbe({ path: '/folded', atUs: old + 1 }),
        aProbe({ path: '/kept', httpStatus: 404 }),
      ],
    })
    await retain(store, NOON_US, 400)
    await store.write(async (writer) => {
      await sql`alter table route_state drop column results`.execute(writer)
      await routeResults(writer)
    })
    const states = await sql<{ path: string; results: number }>`select r.path, s.results from route_state as s
      join routes as r on r.host_id = s.host_id and r.route_id = s.route_id order by r.path`.execute(store.read)
    expect(states.rows).toEqual([
      { path: '/both', results: 1 | 8 },
      { path: '/folded', results: 2 | 4 },
      { path: '/kept', results: 4 },
    ])
    const differences: Difference[] = []
    await verifyStore(store, (difference) => differences.push(difference))
    expect(differences).toEqual([])
    await store.write((writer) => sql`update route_state set results = 7 where results = 6`.execute(writer))
    await verifyStore(store, (difference) => differences.push(difference))
    expect(differences).toMatchObject([{ what: expect.stringContaining('/folded'), stored: 7, counted: 6 }])
  })
})
