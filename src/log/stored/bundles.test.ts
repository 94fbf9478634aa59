import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aProbe, NOON_US } from '../../../test/support/samples.ts'
import { DAY_US, loggedIn, rootOf, sequencerOf } from '../../../test/support/sequenced-log.ts'
import { sleep } from '../../async/sleep.ts'
import { openStore } from '../../store/open.ts'
import { saveProbes } from '../../store/probes/save-probes.ts'
import type { Store } from '../../store/store.ts'
import { OVERSIZED, sequenceOversized } from '../testing/oversized.ts'
import { countPacked, oversizedEntries, readPlaces } from './bundles.ts'
import { pendingEntries, readTreeHead } from './tree.ts'

onEachEngine('the evidence log', (engine) => {
  it('packs full bundles away and says the same as before, and goes on when nothing is left unpacked', async () => {
    const store = await engine.open()
    const hosts = (from: number, n: number) =>
      Array.from({ length: n }, (_, at) => aProbe({ host: `h${from + at}.seller.example`, atUs: NOON_US + at }))
    const unpacked = async () => (await store.read.selectFrom('log_entries').select('entry_id').execute()).length
    await saveProbes(store, { probes: hosts(0, 300) })
    const before = await loggedIn(store)
    const sequencer = sequencerOf(store, 'the last', { us: NOON_US + 1_000 * DAY_US })
    expect([await sequencer.pack(), await sequencer.pack(), await unpacked()]).toEqual([true, false, 44])
    expect(await loggedIn(store)).toEqual(before)
    await saveProbes(store, { probes: hosts(300, 212) })
    const after = await loggedIn(store)
    expect([await sequencer.pack(), await unpacked()]).toEqual([true, 0])
    expect([after.length, after.slice(0, 300)]).toEqual([512, before])
    expect(await readPlaces(store.read, 250, 20)).toEqual(after.slice(250, 270))
    expect(await readPlaces(store.read, 511, 1)).toEqual(after.slice(511))
    await saveProbes(store, { probes: hosts(512, 3) })
    const entries = await loggedIn(store)
    expect([entries.length, entries.slice(0, 512)]).toEqual([515, after])
    expect(new Set(entries).size).toBe(515)
    expect((await readTreeHead(store.read)).root).toBe(await rootOf(entries))
    for (const [from, n] of [
      [0, 1],
      [255, 2],
      [510, 4],
      [514, 9],
      [600, 5],
    ] as const)
      expect(await readPlaces(store.read, from, n)).toEqual(entries.slice(from, from + n))
  })

  it('packs around a bundle that an entry is too long for', async () => {
    const store = await engine.open()
    const now = { us: NOON_US }
    const more = async (from: number, n: number): Promise<void> => {
      const probes = Array.from({ length: n }, (_, at) => aProbe({ host: `h${from + at}.seller.example` }))
      await saveProbes(store, { probes })
      while ((await sequencerOf(store, 'test', now).step()) > 0);
    }
    await more(0, 300)
    await sequenceOversized(store, now.us + 20_000_000)
    now.us += 40_000_000
    await more(300, 700)
    expect(await oversizedEntries(store.read)).toEqual([{ bytes: 65_536, index: 300 }])
    const before = await readPlaces(store.read, 0, 1001)
    expect(before[300]).toBe(OVERSIZED)
    for (const by of ['test', 'another']) {
      const sequencer = sequencerOf(store, by, now)
      while (await sequencer.pack());
      now.us += 40_000_000
    }
    const packed = await store.read.selectFrom('log_bundles').select('n').orderBy('n').execute()
    expect(packed.map(({ n }) => n)).toEqual([0, 2])
    expect(await readPlaces(store.read, 0, 1001)).toEqual(before)
    expect(await readPlaces(store.read, 500, 300)).toEqual(before.slice(500, 800))
    await more(1000, 300)
    const sequencer = sequencerOf(store, 'test', now)
    while (await sequencer.pack());
    expect(await countPacked(store.read)).toBe(5)
    expect((await readPlaces(store.read, 0, 1301)).slice(0, 1001)).toEqual(before)
    expect((await readTreeHead(store.read)).root).toBe(await rootOf(await readPlaces(store.read, 0, 1301)))
  })

  it('packs each bundle once, however many are at it, and readers never miss an entry meanwhile', async () => {
    const options = await engine.empty()
    const stores = [await openStore(options), await openStore(options), await openStore(options)] as const
    const [store] = stores
    const probes = Array.from({ length: 3000 }, (_, n) => aProbe({ host: `h${n}.seller.example`, atUs: NOON_US + n }))
    await saveProbes(store, { probes })
    const entries = await loggedIn(store)
    const now = { us: NOON_US + 2_000 * DAY_US }
    let packing = 2
    const pack = async (of: Store, by: string): Promise<void> => {
      const sequencer = sequencerOf(of, by, now)
      for (let idle = 0; idle < 3; ) {
        // Leases end at once, so that both are always at it.
        now.us += 20_000_000
        idle = (await sequencer.pack()) ? 0 : idle + 1
      }
      packing -= 1
    }
    const read = async (): Promise<void> => {
      for (let n = 0; packing > 0; n = (n + 701) % 2900) {
        expect(await readPlaces(stores[2].read, n, 100)).toEqual(entries.slice(n, n + 100))
        await sleep(1)
      }
    }
    await Promise.all([pack(stores[0], 'one'), pack(stores[1], 'two'), read()])
    expect(await countPacked(store.read)).toBe(11)
    expect(await readPlaces(store.read, 0, 3000)).toEqual(entries)
    expect(await pendingEntries(store.read, -1, 10)).toEqual([])
    for (const each of stores) await each.close()
  })
})
