import fc from 'fast-check'
import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing, aProbe, evidence } from '../../../test/support/samples.ts'
import { continueRun } from '../../domain/now/run.ts'
import type { Store } from '../store.ts'
import { saveEvidence } from '../transfer/save-evidence.ts'
import { verifyStore } from '../transfer/verify.ts'
import { retain } from './retention.ts'
import { runIn } from './runs.ts'
import { saveProbes } from './save-probes.ts'

const DAY_US = 86_400_000_000
const START_US = Date.UTC(2024, 0, 5) * 1000

const runsIn = async (store: Store) => {
  const rows = await store.read
    .selectFrom('route_state as s')
    .innerJoin('routes as r', (join) =>
      join.onRef('r.host_id', '=', 's.host_id').onRef('r.route_id', '=', 's.route_id'),
    )
    .select(['r.path', 's.now_status', 's.now_since_us', 's.last_402_us'])
    .orderBy('r.path')
    .execute()
  return new Map(rows.map((row) => [row.path, runIn(row)]))
}

const differencesIn = async (store: Store): Promise<unknown[]> => {
  const found: unknown[] = []
  await verifyStore(store, (difference) => found.push(difference))
  return found
}

const PATHS = ['/a', '/b'] as const
const history = fc.array(
  fc.record({
    path: fc.constantFrom(...PATHS),
    day: fc.nat(60),
    httpStatus: fc.constantFrom(null, 200, 402, 402, 404, 500),
    latencyMs: fc.nat(3),
  }),
  { minLength: 1, maxLength: 40 },
)

onEachEngine('the run that a route is in', (engine) => {
  it('is the one of its newest entry, in whatever order and batches entries come', async () => {
    const store = await engine.open()
    let hosts = 0
    await fc.assert(
      fc.asyncProperty(history, fc.integer({ min: 1, max: 7 }), async (all, batch) => {
        const host = `h${hosts++}.example`
        const probes = all.map(({ day, ...more }) => aProbe({ host, ...more, atUs: START_US + day * DAY_US }))
        for (let at = 0; at < probes.length; at += batch)
          await saveProbes(store, { probes: probes.slice(at, at + batch) }, { announceUs: START_US })
        const rows = await store.read
          .selectFrom('hosts as h')
          .innerJoin('routes as r', 'r.host_id', 'h.host_id')
          .innerJoin('route_state as s', (join) =>
            join.onRef('s.host_id', '=', 'r.host_id').onRef('s.route_id', '=', 'r.route_id'),
          )
          .select(['r.path', 's.now_status', 's.now_since_us', 's.last_402_us'])
          .where('h.name', '=', host)
          .execute()
        for (const row of rows) {
          const own = probes.filter(({ path }) => path === row.path)
          expect(runIn(row)).toEqual(continueRun(null, own))
        }
      }),
      { numRuns: 25 },
    )
    expect(await differencesIn(store)).toEqual([])
  })

  it('keeps its beginning when entries of it are folded, and goes on in a store that they move to', async () => {
    const store = await engine.open()
    const at = (day: number) => START_US + day * DAY_US
    const days = Array.from({ length: 300 }, (_, day) => day)
    await saveEvidence(
      store,
      evidence({
        listings: PATHS.map((path) => aListing({ path })),
        probes: days.flatMap((day) => [
          aProbe({ path: '/a', atUs: at(day), httpStatus: day < 20 ? 402 : 500 }),
          aProbe({ path: '/b', atUs: at(day), httpStatus: day < 290 ? 402 : null }),
        ]),
      }),
    )
    const before = await runsIn(store)
    expect(before.get('/a')).toEqual({ httpStatus: 500, sinceUs: at(20), last402Us: at(19) })
    await retain(store, at(150), 30)
    await retain(store, at(300), 30)
    await saveProbes(store, { probes: [aProbe({ path: '/a', atUs: at(300), httpStatus: 404 })] })
    expect((await runsIn(store)).get('/a')).toEqual({ httpStatus: 404, sinceUs: at(20), last402Us: at(19) })
    expect((await runsIn(store)).get('/b')).toEqual(before.get('/b'))
    expect(await differencesIn(store)).toEqual([])
    await retain(store, at(900), 30)
    expect(await store.read.selectFrom('probes').selectAll().execute()).toEqual([])
    expect((await runsIn(store)).get('/a')).toEqual({ httpStatus: 404, sinceUs: at(20), last402Us: at(19) })
    expect(await differencesIn(store)).toEqual([])
  })
})
