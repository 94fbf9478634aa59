import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aProbe, NOON_US } from '../../../test/support/samples.ts'
import type { Store } from '../store.ts'
import { saveProbes } from './save-probes.ts'

const eventsOf = async (store: Store) =>
  (await store.read.selectFrom('events').select(['kind', 'data']).orderBy('at_us').orderBy('event_id').execute()).map(
    ({ kind, data }) => `${kind} ${data}`,
  )

onEachEngine('a change of class', (engine) => {
  const probed = (store: Store, statuses: readonly (number | null)[], atUs: number, announce = true) =>
    saveProbes(
      store,
      { probes: statuses.map((httpStatus, n) => aProbe({ httpStatus, atUs: atUs + n })) },
      announce ? { announceUs: atUs } : {},
    )

  it('is announced once for a batch, held against the newest entry before it', async () => {
    const store = await engine.open()
    await probed(store, [402], NOON_US)
    await probed(store, [402], NOON_US + 10)
    expect(await eventsOf(store)).toEqual([])
    await probed(store, [200, null, 500], NOON_US + 20)
    expect(await eventsOf(store)).toEqual(['class_changed {"from":"402-correct","to":"failed"}'])
    await probed(store, [404], NOON_US + 30)
    await probed(store, [null], NOON_US + 40)
    expect((await eventsOf(store)).slice(1)).toEqual(['class_changed {"from":"failed","to":"unreachable"}'])
  })

  it('is not announced again when a batch is saved again, nor by entries that come late, nor by a move between stores', async () => {
    const store = await engine.open()
    await probed(store, [402], NOON_US)
    await probed(store, [500], NOON_US + 10)
    await probed(store, [500], NOON_US + 10)
    await probed(store, [200], NOON_US + 5)
    await probed(store, [200], NOON_US + 20, false)
    expect(await eventsOf(store)).toEqual(['class_changed {"from":"402-correct","to":"failed"}'])
  })
})
