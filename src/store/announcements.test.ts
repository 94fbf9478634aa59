import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onEachEngine } from '../../test/support/engines.ts'
import { aListing, aProbe, evidence, NOON_US } from '../../test/support/samples.ts'
import type { ProbeResult } from '../domain/probe.ts'
import { directoryOf } from '../views/open-directory.ts'
import { saveEvidence } from './save.ts'
import type { Store } from './store.ts'
import { saveSweep } from './sweeps.ts'
import { announceUnlisted } from './unlisted.ts'

const HOST = 'api.seller.example'
const HOUR_US = 3_600_000_000

const eventsOf = async (store: Store) =>
  (await store.read.selectFrom('events').select(['kind', 'data']).orderBy('at_us').orderBy('event_id').execute()).map(
    ({ kind, data }) => `${kind} ${data}`,
  )

onEachEngine('a change of class', (engine) => {
  const probed = (store: Store, statuses: readonly (number | null)[], atUs: number, announce = true) =>
    saveEvidence(
      store,
      evidence({ probes: statuses.map((httpStatus, n) => aProbe({ httpStatus, atUs: atUs + n })) }),
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

  it('is announced as it was stored when the prober remembers another class than it sees, and not looked for otherwise', async () => {
    const store = await engine.open()
    const seen = (httpStatus: number, lastResult: ProbeResult | null, atUs: number) =>
      saveEvidence(store, evidence({ probes: [aProbe({ httpStatus, lastResult, atUs })] }), { announceUs: atUs })
    await seen(402, null, NOON_US)
    await seen(402, '402-correct', NOON_US + 10)
    expect(await eventsOf(store)).toEqual([])
    await seen(500, '402-correct', NOON_US + 20)
    await seen(402, 'unreachable', NOON_US + 30)
    expect(await eventsOf(store)).toEqual([
      'class_changed {"from":"402-correct","to":"failed"}',
      'class_changed {"from":"failed","to":"402-correct"}',
    ])
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

onEachEngine('a route that a complete sweep no longer names', (engine) => {
  const sweepOf = (store: Store, source: string, startedUs: number, status = 'complete') =>
    store.write((writer) =>
      saveSweep(writer, {
        ...{ source, started_us: startedUs, ended_us: startedUs + 9, status, resumed: 0, seen: 1, stored: 1, pages: 1 },
        ...{ bytes: 1, refused: '{}', answers: '{}', announced: null, error: null },
      }),
    )

  /** One sweep as the ingester does it: its pages, what it missed, its outcome. Answers how many routes are gone. */
  const sweep = async (store: Store, source: string, startedUs: number, paths: readonly string[], isWhole = true) => {
    const listings = paths.map((path) =>
      aListing({ source, path, firstUs: startedUs + 1, lastUs: startedUs + 1, price: 10_000 }),
    )
    await saveEvidence(store, evidence({ listings }), { announceUs: startedUs + 1 })
    const gone = await announceUnlisted(store, { source, startedUs, endedUs: startedUs + 9, isWhole })
    await sweepOf(store, source, startedUs)
    return gone
  }
  const kinds = async (store: Store) => (await eventsOf(store)).map((line) => line.split(' ')[0])

  it('is announced once, again when it comes back, and once more when it goes again', async () => {
    const store = await engine.open()
    expect(await sweep(store, 'bazaar', NOON_US, ['/a', '/b'])).toBe(0)
    expect(await sweep(store, 'bazaar', NOON_US + HOUR_US, ['/a'])).toBe(1)
    const versions = await directoryOf(store).hostVersion(HOST)
    expect(await sweep(store, 'bazaar', NOON_US + 2 * HOUR_US, ['/a'])).toBe(0)
    expect(await sweep(store, 'bazaar', NOON_US + 3 * HOUR_US, ['/a', '/b'])).toBe(0)
    expect(await sweep(store, 'bazaar', NOON_US + 4 * HOUR_US, ['/a'])).toBe(1)
    expect(versions).toBeGreaterThan(2)
    expect((await eventsOf(store)).filter((line) => line.includes('unlisted'))).toEqual([
      'route_unlisted {"source":"bazaar"}',
      'route_unlisted {"source":"bazaar"}',
    ])
    expect((await kinds(store)).filter((kind) => kind === 'route_appeared')).toHaveLength(3)
  })

  it('is still there while another source names it, and gone when that one drops it too', async () => {
    const store = await engine.open()
    await sweep(store, 'bazaar', NOON_US, ['/a'])
    await sweep(store, 'index', NOON_US + 100, ['/a'])
    expect(await sweep(store, 'bazaar', NOON_US + HOUR_US, [])).toBe(0)
    expect(await sweep(store, 'index', NOON_US + HOUR_US + 100, [])).toBe(1)
  })

  it('is left alone on a seller that did not answer, and by the first complete sweep', async () => {
    const store = await engine.open()
    await saveEvidence(store, evidence({ listings: [aListing({ source: 'openapi', path: '/old' })] }))
    expect(await sweep(store, 'openapi', NOON_US + 100, ['/a', '/b'], false)).toBe(0)
    expect(await sweep(store, 'openapi', NOON_US + HOUR_US, [], false)).toBe(0)
    expect(await sweep(store, 'openapi', NOON_US + 2 * HOUR_US, ['/a', '/b'], false)).toBe(0)
    expect(await sweep(store, 'openapi', NOON_US + 3 * HOUR_US, ['/a'], false)).toBe(1)
  })
})

onEachEngine('announcements in the order of their arrival', (engine) => {
  const announce = (store: Store, host: string, atUs: number) =>
    saveEvidence(
      store,
      evidence({
        events: [{ host, kind: 'price_changed', atUs, route: null, data: { from: null, to: String(atUs) } }],
      }),
    )

  it('are told once each, whatever times and hosts they are of', async () => {
    const store = await engine.open()
    const directory = directoryOf(store)
    const nowUs = Date.now() * 1000
    const told: string[] = []
    let after: string | null = null
    for (let n = 0; n < 12; n++) {
      // Later and later written, of earlier and earlier times.
      await announce(store, `h${(n * 5) % 7}.seller.example`, nowUs - n * 1_000_000)
      const page = await directory.arrivals({ host: null, limit: 50, after })
      told.push(...(page?.items ?? []).map((event) => String(event.data.to)))
      after = page?.items.at(-1)?.id ?? after
    }
    expect(told).toEqual(Array.from({ length: 12 }, (_, n) => String(nowUs - n * 1_000_000)))
    expect(after).toBe(await directory.lastArrival())
    const ofHost = await directory.arrivals({ host: 'h5.seller.example', limit: 1, after: null })
    expect(ofHost).toMatchObject({ items: [{ host: 'h5.seller.example' }] })
    expect(ofHost?.next).not.toBeNull()
  })

  it('keep their own time when they are old: history that moves is no news', async () => {
    const store = await engine.open()
    await announce(store, HOST, NOON_US - 90 * 24 * HOUR_US)
    const page = await directoryOf(store).arrivals({ host: null, limit: 5, after: null })
    expect(page?.items[0]?.savedUs).toBe(NOON_US - 90 * 24 * HOUR_US)
  })

  it('wait for a transaction that began to write earlier and ends later', async () => {
    const store = await engine.open()
    const directory = directoryOf(store)
    const nowUs = Date.now() * 1000
    await announce(store, 'h1.seller.example', nowUs)
    // SQLite lets one write at a time: there is nobody to wait for.
    if (engine.name === 'sqlite') {
      expect((await directory.arrivals({ host: null, limit: 5, after: null }))?.items).toHaveLength(1)
      return
    }
    const first = await directory.arrivals({ host: null, limit: 5, after: null })
    expect(first?.items).toHaveLength(1)
    const slow = store.write(async (writer) => {
      await sql`insert into hosts (host_id, name) values (7, 'slow.seller.example')`.execute(writer)
      await sql`insert into events (host_id, at_us, event_id, kind, data, saved_us)
        values (7, ${nowUs}, 1, 'post', '{}', ${store.dialect.nowUs})`.execute(writer)
      await announce(store, 'h2.seller.example', nowUs + 1)
      const page = await directory.arrivals({ host: null, limit: 5, after: first?.items[0]?.id ?? null })
      expect(page?.items).toEqual([])
    })
    await slow
    const page = await directory.arrivals({ host: null, limit: 5, after: first?.items[0]?.id ?? null })
    expect(page?.items.map((event) => event.host)).toEqual(['slow.seller.example', 'h2.seller.example'])
  })
})
