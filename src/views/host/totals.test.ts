import { expect, it } from 'vitest'
import { ALL_HOSTS, directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing, aProbe, evidence, NOON_US } from '../../../test/support/samples.ts'
import type { Store } from '../../store/store.ts'
import { saveEvidence } from '../../store/transfer/save-evidence.ts'
import { RememberedTotals } from './totals.ts'

const HOUR_US = 3_600_000_000

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
      .poll(async () => {
        // What a page cache does: made again only when the epoch moved.
        const last = told.at(-1)
        if (last && last.epoch !== directory.epoch()) {
          told.push({ epoch: directory.epoch(), probes: (await directory.home(query)).totals.probes })
        }
        return told.at(-1)?.probes
      })
      .toBe(30)
  })

  const save = (store: Store, n: number) =>
    saveEvidence(store, evidence({ listings: [aListing()], probes: [aProbe({ atUs: NOON_US + n })] }))
  /** Of a start: each count is long unless said. */
  const started = (store: Store, nowUs = NOON_US, shortMs = 0) =>
    new RememberedTotals(store, () => nowUs, { shortMs, longMs: shortMs })
  const kept = async (store: Store) => {
    const rows = await store.read.selectFrom('kept_totals').select(['counted_us', 'totals']).execute()
    return rows.map(({ counted_us, totals }) => ({ atUs: counted_us, probes: JSON.parse(totals).probes }))
  }

  it('are those of before after a start, until they are counted again', async () => {
    const store = await engine.open()
    await save(store, 0)
    const counted = await started(store).read()
    await expect.poll(() => kept(store)).toEqual([{ atUs: NOON_US, probes: 1 }])
    await save(store, 1)
    const totals = started(store)
    expect(await Promise.all([totals.read(), totals.read()])).toEqual([counted, counted])
    await expect.poll(() => totals.renewals).toBe(1)
    expect(await totals.read()).toMatchObject({ hosts: 1, probes: 2 })
  })

  it('are kept again when they have changed, though not at once, and nothing is written otherwise', async () => {
    const store = await engine.open()
    await save(store, 0)
    let writes = 0
    const watched: Store = {
      ...store,
      write: (work) => {
        writes++
        return store.write(work)
      },
    }
    const countedAt = async (nowUs: number) => {
      const totals = started(watched, nowUs)
      await totals.read()
      await expect.poll(() => totals.renewals).toBe(1)
    }
    await started(watched).read()
    await expect.poll(() => kept(store)).toEqual([{ atUs: NOON_US, probes: 1 }])
    await countedAt(NOON_US + HOUR_US)
    await save(store, 1)
    await countedAt(NOON_US + HOUR_US / 60)
    expect([await kept(store), writes]).toEqual([[{ atUs: NOON_US, probes: 1 }], 1])
    await countedAt(NOON_US + 2 * HOUR_US)
    await expect.poll(() => kept(store)).toEqual([{ atUs: NOON_US + 2 * HOUR_US, probes: 2 }])
    expect(writes).toBe(2)
  })

  it('are waited for where those of before are of another day, or soon counted', async () => {
    const store = await engine.open()
    await save(store, 0)
    await started(store).read()
    await expect.poll(() => kept(store)).toHaveLength(1)
    await save(store, 1)
    expect(await started(store, NOON_US + 25 * HOUR_US).read()).toMatchObject({ probes: 2 })
    await save(store, 2)
    expect(await started(store, NOON_US, 60_000).read()).toMatchObject({ probes: 3 })
  })
})
