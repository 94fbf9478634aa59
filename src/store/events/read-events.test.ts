import { type CompiledQuery, sql } from 'kysely'
import { expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { watching } from '../../../test/support/plans.ts'
import { evidence, NOON_US } from '../../../test/support/samples.ts'
import type { ArrivalQuery, EventView } from '../../views/events/events-view.ts'
import type { Store } from '../store.ts'
import { saveEvidence } from '../transfer/save-evidence.ts'
import { readArrivals } from './read-events.ts'

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

  it('come in full pages where some kinds alone are asked for, in either order', async () => {
    const store = await engine.open()
    const directory = directoryOf(store)
    const nowUs = Date.now() * 1000
    const kindAt = (n: number) => (n % 7 === 0 ? 'post' : n % 3 === 0 ? 'price_changed' : 'class_changed')
    for (let from = 0; from < 90; from += 30) {
      const events = Array.from({ length: 30 }, (_, n) => ({
        ...{ host: `h${n % 4}.seller.example`, kind: kindAt(from + n), atUs: nowUs + ((n * 17) % 30) },
        ...{ route: null, data: { n: from + n } },
      }))
      await saveEvidence(store, evidence({ events }))
    }
    const pages = async (asked: Pick<ArrivalQuery, 'host' | 'kinds' | 'order'>, limit: number) => {
      const read: (readonly EventView[])[] = []
      for (let after: string | null | undefined = null; after !== undefined; ) {
        const page = await directory.arrivals({ ...asked, limit, after })
        read.push(page?.items ?? [])
        after = page?.next ?? undefined
      }
      return read
    }
    const [all = []] = await pages({ host: null }, 1000)
    expect(all).toHaveLength(90)
    for (const kinds of [
      ['post'],
      ['post', 'price_changed', 'post'],
      ['review'],
      [...new Set(all.map(({ kind }) => kind))],
    ]) {
      for (const host of [null, 'h1.seller.example']) {
        const ids = all
          .filter((event) => kinds.includes(event.kind) && (host === null || event.host === host))
          .map(({ id }) => id)
        for (const order of ['oldest', 'newest'] as const) {
          const read = await pages({ host, kinds, order }, 4)
          expect(read.flat().map(({ id }) => id)).toEqual(order === 'newest' ? ids.toReversed() : ids)
          expect(read.slice(0, -1).every((items) => items.length === 4)).toBe(true)
        }
      }
    }
  })

  it('are found by an index where few of them are of the kind', async () => {
    const store = await engine.open()
    if (engine.name === 'citus') return
    await store.write(async (writer) => {
      await sql`insert into hosts (host_id, name) values (1, 'one.example'), (2, 'two.example')`.execute(writer)
      await sql`insert into events (host_id, at_us, event_id, kind, data, saved_us)
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 20000)
        select 1 + n % 2, n, n, case when n % 1000 = 0 then 'post' else 'class_changed' end, '{}', n from numbers`.execute(
        writer,
      )
    })
    if (engine.name === 'postgres') await sql`analyze`.execute(store.read)
    const planOf = async (hostId: number | null, kinds: readonly string[]) => {
      const asked: CompiledQuery[] = []
      await readArrivals(watching(store, asked), { hostId, kinds }, [5, 1, 1], 50)
      const query = asked.at(-1)
      if (query === undefined) throw new Error('nothing was asked')
      const explain = engine.name === 'sqlite' ? 'explain query plan' : 'explain'
      const { rows } = await store.read.executeQuery<object>({ ...query, sql: `${explain} ${query.sql}` })
      return rows.map((row) => String(Object.values(row).at(-1))).join('\n')
    }
    for (const kinds of [['post'], ['post', 'review']]) {
      const plan = await planOf(null, kinds)
      expect(plan).toContain('events_by_kind')
      expect(plan).not.toMatch(/sort|temp b-tree/i)
    }
    const ofHost = await planOf(1, ['post', 'review'])
    expect(ofHost).toContain('events_by_host_arrival')
    expect(ofHost).not.toMatch(/sort|temp b-tree/i)
  })
})
