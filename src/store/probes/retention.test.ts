import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aChallenge, aListing, aProbe, evidence } from '../../../test/support/samples.ts'
import { DAY_US } from '../../domain/time/day.ts'
import { openStore } from '../open.ts'
import type { Store } from '../store.ts'
import { saveEvidence } from '../transfer/save-evidence.ts'
import { verifyStore } from '../transfer/verify.ts'
import type { ProbeInput } from './probes.ts'
import { keptSinceUs, retain } from './retention.ts'
import { saveProbes } from './save-probes.ts'

const NOW_US = Date.UTC(2026, 10, 14, 12) * 1000
const HOSTS = ['a.example', 'b.example']
const FIRST = { limit: 50, cursor: null }
const KEPT_DAYS = 400
/** So many days before the middle of November 2026 lie in October 2025. */
const KEPT_US = Date.UTC(2025, 9, 1) * 1000

const STATUSES = [402, 200, 404, null, 402] as const

/** Entries of two hosts, one a day for 500 days, besides one from before there were months. */
const history = (): ProbeInput[] =>
  HOSTS.flatMap((host, h) => [
    aProbe({ host, path: '/old', atUs: 1000 + h, httpStatus: 500, latencyMs: 9 }),
    ...Array.from({ length: 500 }, (_, day) =>
      aProbe({
        host,
        path: `/${day % 3}`,
        atUs: NOW_US - day * DAY_US - h,
        httpStatus: STATUSES[(day + h) % 5] ?? null,
        latencyMs: 20 + ((day * 37) % 1500),
        challenge: (day + h) % 5 === 0 ? aChallenge(10_000 + day) : null,
      }),
    ),
  ])

const differencesIn = async (store: Store): Promise<string[]> => {
  const found: string[] = []
  await verifyStore(store, ({ host, what, stored, counted }) => found.push(`${host} ${what} ${stored} ${counted}`))
  return found
}

const viewsOf = async (store: Store) =>
  Promise.all(
    HOSTS.map(async (host) => {
      const view = await directoryOf(store).hostView(host, FIRST)
      const { counters, results, latency } = view ?? {}
      return {
        counters,
        results,
        latency,
        routes: view?.routes.map(({ probesTotal, probeStatus }) => [probesTotal, probeStatus]),
      }
    }),
  )

onEachEngine('retention', (engine) => {
  const filled = async (): Promise<Store> => {
    const store = await engine.open()
    const listings = HOSTS.flatMap((host) => ['/0', '/1', '/2', '/old'].map((path) => aListing({ host, path })))
    await saveEvidence(store, evidence({ listings, probes: history() }))
    return store
  }

  it('drops whole months after folding them, and every figure stays as it was', async () => {
    const store = await filled()
    const before = await viewsOf(store)
    expect(await keptSinceUs(store.read)).toBeNull()
    const old = history().filter(({ atUs }) => atUs < KEPT_US).length
    expect(await retain(store, NOW_US, KEPT_DAYS)).toEqual({ keptSinceUs: KEPT_US, entries: old })
    const left = await store.read.selectFrom('probes').select('at_us').orderBy('at_us').execute()
    expect(left).toHaveLength(history().length - old)
    expect(left[0]?.at_us).toBeGreaterThanOrEqual(KEPT_US)
    expect(await keptSinceUs(store.read)).toBe(KEPT_US)
    expect(await viewsOf(store)).toEqual(before)
    expect(await differencesIn(store)).toEqual([])
    expect(await retain(store, NOW_US, KEPT_DAYS)).toEqual({ keptSinceUs: KEPT_US, entries: 0 })
    expect(await differencesIn(store)).toEqual([])
  })

  it('folds again later, also down to the last entry', async () => {
    const store = await filled()
    const before = await viewsOf(store)
    await retain(store, NOW_US, KEPT_DAYS)
    await retain(store, NOW_US + 200 * DAY_US, KEPT_DAYS)
    expect(await differencesIn(store)).toEqual([])
    await retain(store, NOW_US + 900 * DAY_US, KEPT_DAYS)
    expect(await store.read.selectFrom('probes').selectAll().execute()).toEqual([])
    expect(await viewsOf(store)).toEqual(before)
    expect(await differencesIn(store)).toEqual([])
  })

  it('counts new entries beside the folded ones, and folded ones never again', async () => {
    const store = await filled()
    await retain(store, NOW_US, KEPT_DAYS)
    const before = await viewsOf(store)
    await saveProbes(store, { probes: history() })
    expect(await viewsOf(store)).toEqual(before)
    await saveProbes(store, { probes: [aProbe({ host: 'a.example', path: '/1', atUs: NOW_US + 1 })] })
    const [a] = await viewsOf(store)
    expect(a?.counters?.machineEvidenceRows).toBe(502)
    expect(a?.latency?.samples).toBe(502)
    expect(await differencesIn(store)).toEqual([])
  })

  it('folds each month once where two do it at the same time', async () => {
    const options = await engine.empty()
    const stores = [await openStore(options), await openStore(options)]
    const [store] = stores
    if (store === undefined) throw new Error('no store')
    await saveEvidence(store, evidence({ probes: history() }))
    const before = await viewsOf(store)
    const both = await Promise.all(stores.map((each) => retain(each, NOW_US, KEPT_DAYS)))
    const old = history().filter(({ atUs }) => atUs < KEPT_US).length
    expect(both.reduce((sum, { entries }) => sum + entries, 0)).toBe(old)
    expect(await viewsOf(store)).toEqual(before)
    expect(await differencesIn(store)).toEqual([])
    const { months } = store
    const last = (await months?.list(store.read))?.find(({ endUs }) => endUs !== null)
    if (months && last) {
      const second = await store.write(async (writer) => {
        await months.hold(writer, last)
        const waiting = stores[1]?.write((other) => months.hold(other, last))
        await wait(300)
        await months.drop(writer, last)
        return { waiting }
      })
      expect(await second.waiting).toBe(false)
    }
    for (const each of stores) await each.close()
  })

  it('takes new entries again when a clock that was ahead is right', async () => {
    const store = await filled()
    await retain(store, NOW_US + 900 * DAY_US, KEPT_DAYS)
    const late = aProbe({ host: 'a.example', path: '/1', atUs: NOW_US + 2, latencyMs: 33 })
    expect(await saveProbes(store, { probes: [late] })).toBe(1)
    await retain(store, NOW_US + 5, KEPT_DAYS)
    expect(await keptSinceUs(store.read)).toBe(NOW_US + 1)
    expect(await saveProbes(store, { probes: [late, ...history()] })).toBe(history().length)
    const [a] = await viewsOf(store)
    expect(a?.counters?.machineEvidenceRows).toBe(502)
    expect(await differencesIn(store)).toEqual([])
  })

  it('believes no time to come where nothing was folded', async () => {
    const store = await engine.open()
    await saveEvidence(store, evidence({ keptSinceUs: NOW_US + DAY_US }))
    expect(await saveProbes(store, { probes: [aProbe({ atUs: NOW_US })] })).toBe(1)
    await retain(store, NOW_US, KEPT_DAYS)
    expect(await keptSinceUs(store.read)).toBeNull()
    expect(await saveProbes(store, { probes: [aProbe({ atUs: NOW_US })] })).toBe(0)
  })

  it('shows cached pages that their entries have gone', async () => {
    const store = await filled()
    const directory = directoryOf(store)
    const version = await directory.hostVersion('a.example')
    await retain(store, NOW_US, KEPT_DAYS)
    expect(await directory.hostVersion('a.example')).not.toBe(version)
  })

  it('names a folded figure that was tampered with', async () => {
    const store = await filled()
    await retain(store, NOW_US, KEPT_DAYS)
    await store.write(async (writer) => {
      await writer.updateTable('folded_latency').set({ n: 99 }).where('latency_ms', '=', 9).execute()
    })
    expect((await differencesIn(store)).join('\n')).toContain('entries of 9 ms')
  })
})
