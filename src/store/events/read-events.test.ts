import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { evidence, NOON_US } from '../../../test/support/samples.ts'
import type { Store } from '../store.ts'
import { saveEvidence } from '../transfer/save-evidence.ts'

const HOST = 'api.seller.example'
const HOUR_US = 3_600_000_000

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
    const back: string[] = []
    for (let from: string | null | undefined = null; from !== undefined; ) {
      const page = await directory.arrivals({ host: null, limit: 5, after: from, order: 'newest' })
      back.push(...(page?.items ?? []).map((event) => String(event.data.to)))
      from = page?.next ?? undefined
    }
    expect(back).toEqual(told.toReversed())
    const ofHost = await directory.arrivals({ host: 'h5.seller.example', limit: 1, after: null })
    expect(ofHost).toMatchObject({ items: [{ host: 'h5.seller.example' }] })
    expect(ofHost?.next).not.toBeNull()
  })

  it('are told also after the clock of the store was set back', async () => {
    const store = await engine.open()
    const directory = directoryOf(store)
    const nowUs = Date.now() * 1000
    await announce(store, HOST, nowUs)
    await store.write((writer) => sql`update events set saved_us = saved_us + ${HOUR_US}`.execute(writer))
    const arrivals = async (after: string | null) =>
      (await directory.arrivals({ host: null, limit: 5, after }))?.items.map(({ id, atUs }) => ({ id, atUs })) ?? []
    // Where machines share the table, what lies ahead is told when its time has come.
    if (engine.name === 'citus') return
    const [first] = await arrivals(null)
    await announce(store, HOST, nowUs + 1)
    expect(await arrivals(first?.id ?? null)).toMatchObject([{ atUs: nowUs + 1 }])
    expect(await directory.lastArrival()).not.toBe(first?.id)
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
