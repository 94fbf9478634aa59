import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onBothEngines } from '../../../../test/support/engines.ts'
import { aProbe, NOON_US } from '../../../../test/support/samples.ts'
import { DAY_US } from '../../../domain/time/day.ts'
import { retain } from '../../probes/retention.ts'
import { saveProbes } from '../../probes/save-probes.ts'
import type { Store } from '../../store.ts'
import { verifyStore } from '../../transfer/verify.ts'
import { now } from './015-now.ts'

const RUN = ['now_status', 'now_since_us', 'last_402_us']
const ADDED = {
  route_state: RUN,
  folded_routes: RUN,
  host_counters: [
    ...['now_answers', 'now_402', 'now_failed', 'now_unreachable', 'routes_verified', 'routes_differs'],
    ...['price_min', 'median_sum_ms', 'median_samples'],
  ],
}

/** As a program left it that kept no runs. */
const withoutRuns = (store: Store): Promise<void> =>
  store.write(async (writer) => {
    for (const index of [
      'route_state_by_run',
      'route_state_by_check',
      'host_counters_by_price',
      'host_counters_by_latency',
    ])
      await sql`drop index ${sql.ref(index)}`.execute(writer)
    for (const [table, columns] of Object.entries(ADDED))
      for (const column of columns)
        await sql`alter table ${sql.table(table)} drop column ${sql.ref(column)}`.execute(writer)
    await now(writer, store.dialect)
  })

onBothEngines('the step that adds runs', (engine) => {
  const statesOf = (store: Store) =>
    store.read.selectFrom('route_state').select(['now_status', 'now_since_us', 'last_402_us']).execute()

  it('finds them in the entries of a store that had none', async () => {
    const store = await engine.open()
    const statuses = [402, 402, 500, null, null]
    const probes = statuses.map((httpStatus, hour) => aProbe({ httpStatus, atUs: NOON_US + hour }))
    await saveProbes(store, { probes: [...probes, aProbe({ path: '/paid', atUs: NOON_US + 9 })] })
    const before = await statesOf(store)
    await withoutRuns(store)
    expect(await statesOf(store)).toEqual(before)
    expect(before).toContainEqual({ now_status: 0, now_since_us: NOON_US + 3, last_402_us: NOON_US + 1 })
    const differences: unknown[] = []
    await verifyStore(store, (one) => differences.push(one))
    expect(differences).toEqual([])
  })

  it('lets a run begin with what is kept where older entries were folded before, and says nothing where none is', async () => {
    const store = await engine.open()
    await saveProbes(store, {
      probes: [600, 100].map((ago) => aProbe({ httpStatus: 500, atUs: NOON_US - ago * DAY_US })),
    })
    await saveProbes(store, { probes: [aProbe({ path: '/gone', atUs: NOON_US - 600 * DAY_US })] })
    await retain(store, NOON_US, 400)
    await withoutRuns(store)
    const states = await statesOf(store)
    expect(states).toContainEqual({ now_status: 500, now_since_us: NOON_US - 100 * DAY_US, last_402_us: null })
    expect(states).toContainEqual({ now_status: null, now_since_us: null, last_402_us: null })
    const differences: unknown[] = []
    await verifyStore(store, (one) => differences.push(one))
    expect(differences).toEqual([])
  })
})
