import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onEachEngine } from '../../test/support/engines.ts'
import { aChallenge, aListing, aPost, aProbe, aReview, evidence, NOON_US } from '../../test/support/samples.ts'
import { DAY_US, loggedIn, rootOf, sequencerOf } from '../../test/support/sequenced-log.ts'
import { sleep } from '../async/sleep.ts'
import { saveListings } from '../store/facts/save-listings.ts'
import { openStore } from '../store/open.ts'
import { hidePost } from '../store/posts/hide-post.ts'
import { savePost } from '../store/posts/save-post.ts'
import { saveProbes } from '../store/probes/save-probes.ts'
import { hideReview } from '../store/reviews/hide-review.ts'
import type { Writer } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import { saveEvidence } from '../store/transfer/save-evidence.ts'
import { canonical } from '../wire/log/canonical.ts'
import { parseEntry } from '../wire/log/entry.ts'
import { Sequencer, storedTiles } from './sequencer.ts'
import { oversizedEntries, readPlaces } from './stored/bundles.ts'
import { pendingEntries, readTreeHead } from './stored/tree.ts'
import { enqueue, OVERSIZED } from './testing/oversized.ts'
import { toBase64, treeHash } from './tlog/index.ts'

const recordsOf = (entries: readonly string[]) => entries.flatMap((text) => parseEntry(text)?.records ?? [])

/** A transaction that is under way, and goes on when it is told to. */
async function writing(store: Store) {
  const orders: ((writer: Writer) => Promise<void>)[] = []
  let isEnding = false
  let id = -1
  const ended = store.write(async (writer) => {
    while (!isEnding || orders.length > 0) {
      await orders.shift()?.(writer)
      await sleep(1)
    }
  })
  return {
    /** For an entry, greater than all that were taken before. */
    takeNumber: () =>
      new Promise<void>((taken) => {
        orders.push(async (writer) => {
          id = (await store.dialect.entryIds(writer, 1)).blocks[0]?.first ?? -1
          taken()
        })
      }),
    /** An entry under the last number that was taken, and its end. */
    bring: async (body: string) => {
      orders.push(async (writer) => {
        await writer.insertInto('log_entries').values({ entry_id: id, host_id: null, body }).execute()
      })
      isEnding = true
      await ended
    },
  }
}

onEachEngine('the evidence log', (engine) => {
  it('says what each transaction changed, in canonical form and without strangers’ words', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: [aListing({ description: 'Weather of today' })] })
    await saveProbes(store, { probes: [aProbe({ challenge: aChallenge(10_000) }), aProbe({ atUs: NOON_US + 5 })] })
    await saveEvidence(store, evidence({ reviews: [aReview()] }))
    await savePost(store, aPost())
    await hidePost(store, 'post-1', NOON_US + 9, 'spam')
    const entries = await loggedIn(store)
    for (const entry of entries) expect(canonical(JSON.parse(entry))).toBe(entry)
    expect(entries.join()).not.toMatch(/Weather of today|Fast and as described|Does it keep/)
    const records = recordsOf(entries)
    expect(records.map(({ kind }) => kind)).toEqual(['listing', 'probe', 'probe', 'review', 'post', 'post_withdrawn'])
    expect(records[0]).toMatchObject({ url: 'https://api.seller.example/v1/weather', price: '0.010000' })
    expect(records[0]?.description_sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(records[1]?.challenge_sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(records[3]).toMatchObject({ id: 'review-1', level: 'Signed', rating: 4 })
    expect(entries.map((entry) => parseEntry(entry)?.imported ?? false)).toEqual([false, false, true, false, false])
  })

  it('says since when and why the text of a review is taken down', async () => {
    const store = await engine.open()
    await saveEvidence(store, evidence({ reviews: [aReview()] }))
    await hideReview(store, 'review-1', NOON_US + 9, 'spam')
    expect(recordsOf(await loggedIn(store))).toMatchObject([
      { kind: 'review', id: 'review-1' },
      { kind: 'review_withdrawn', id: 'review-1', at: '2026-11-14T12:00:00.000009Z', reason: 'spam' },
    ])
  })

  it('says each thing once, however often it is saved', async () => {
    const store = await engine.open()
    const batch = evidence({ listings: [aListing()], probes: [aProbe()], reviews: [aReview()], posts: [aPost()] })
    await saveEvidence(store, batch)
    const before = await loggedIn(store)
    await saveEvidence(store, batch)
    await saveProbes(store, { probes: [aProbe()] })
    expect(await loggedIn(store)).toEqual(before)
  })

  it('says of a row that it opened, that it goes on once a day, that it ended and came again', async () => {
    const store = await engine.open()
    const seen = (us: number) => saveListings(store, { listings: [aListing({ firstUs: us, lastUs: us })] })
    await seen(NOON_US)
    await seen(NOON_US + 1000)
    await seen(NOON_US + DAY_US)
    await seen(NOON_US + DAY_US + 1000)
    const { endRows } = await import('../store/facts/row-ends.ts')
    const started = NOON_US + 2 * DAY_US
    await endRows(store, { source: 'bazaar', startedUs: started, endedUs: started + 1, isWhole: true })
    await seen(started + 3)
    const said = recordsOf(await loggedIn(store)).map(({ last_observed, no_longer_named_since }) => [
      String(last_observed).slice(0, 10),
      no_longer_named_since !== undefined,
    ])
    expect(said).toEqual([
      ['2026-11-14', false],
      ['2026-11-15', false],
      ['2026-11-15', true],
      ['2026-11-16', false],
    ])
  })

  it('splits what is too large for one entry', async () => {
    const store = await engine.open()
    const probes = Array.from({ length: 900 }, (_, n) =>
      aProbe({ atUs: NOON_US + n, path: `/${'x'.repeat(200)}/${n % 3}` }),
    )
    await saveProbes(store, { probes })
    const entries = await loggedIn(store)
    expect(entries.length).toBeGreaterThan(3)
    expect(Math.max(...entries.map((entry) => Buffer.byteLength(entry)))).toBeLessThanOrEqual(60_000)
    expect(recordsOf(entries)).toHaveLength(900)
  })

  it('has the root of RFC 6962 over its entries, in whatever steps it grew', async () => {
    const store = await engine.open()
    const sequencer = sequencerOf(store)
    for (let n = 0; n < 300; n += 1) {
      const host = `h${n % 7}.seller.example`
      await saveProbes(store, { probes: [aProbe({ host, atUs: NOON_US + n })] })
      if (n % 41 === 0) await sequencer.step()
    }
    const entries = await loggedIn(store)
    expect(entries).toHaveLength(300)
    const head = await readTreeHead(store.read)
    expect(head.root).toBe(await rootOf(entries))
    expect(toBase64(await treeHash(storedTiles(store), 300))).toBe(head.root)
    expect(await readPlaces(store.read, 250, 20)).toEqual(entries.slice(250, 270))
  })

  it('leaves out what no bundle has room for, says so once, and goes on', async () => {
    const store = await engine.open()
    const told: unknown[] = []
    const sequencer = new Sequencer({
      ...{ store, by: 'one', nowUs: () => NOON_US, mayGrow: async () => true },
      onTrouble: (error) => told.push(error),
    })
    await saveProbes(store, { probes: [aProbe()] })
    await enqueue(store, OVERSIZED)
    expect([await sequencer.step(), await sequencer.step()]).toEqual([1, 0])
    await saveProbes(store, { probes: [aProbe({ atUs: NOON_US + 1 })] })
    expect([await sequencer.step(), await sequencer.step()]).toEqual([1, 0])
    expect(told).toEqual([new Error('an entry of 65536 bytes is left out: no bundle holds it')])
    expect(await oversizedEntries(store.read)).toEqual([{ bytes: 65_536, index: null }])
    const entries = await readPlaces(store.read, 0, 2)
    expect(recordsOf(entries)).toHaveLength(2)
    expect((await readTreeHead(store.read)).root).toBe(await rootOf(entries))
  })

  it('grows on under another one when whoever was at it is gone, once its lease is over', async () => {
    const store = await engine.open()
    const now = { us: NOON_US }
    const [gone, next] = [sequencerOf(store, 'gone', now), sequencerOf(store, 'next', now)]
    await saveProbes(store, { probes: [aProbe()] })
    expect(await gone.step()).toBe(1)
    await saveProbes(store, { probes: [aProbe({ atUs: NOON_US + 1 })] })
    expect(await next.step()).toBe(0)
    now.us += 10_000_000
    expect(await next.step()).toBe(1)
    await saveProbes(store, { probes: [aProbe({ atUs: NOON_US + 2 })] })
    // It was not gone, only slow: now it has to wait itself.
    expect(await gone.step()).toBe(0)
    expect(await next.step()).toBe(1)
    const entries = await loggedIn(store)
    expect(recordsOf(entries).map(({ date }) => String(date).slice(-8))).toEqual(['.000000Z', '.000001Z', '.000002Z'])
    expect((await readTreeHead(store.read)).root).toBe(await rootOf(entries))
  })

  it('waits for nobody whose clock was ahead', async () => {
    const store = await engine.open()
    await saveProbes(store, { probes: [aProbe()] })
    expect(await sequencerOf(store, 'ahead', { us: NOON_US + 60_000_000 }).step()).toBe(1)
    await saveProbes(store, { probes: [aProbe({ atUs: NOON_US + 1 })] })
    expect(await sequencerOf(store, 'next').step()).toBe(1)
  })

  // SQLite has one writer at a time.
  it.skipIf(engine.name === 'sqlite')(
    'has what a slow transaction brings, whatever was appended meanwhile',
    async () => {
      const store = await engine.open()
      const sequencer = sequencerOf(store)
      await saveProbes(store, { probes: [aProbe()] })
      expect(await sequencer.step()).toBe(1)
      const slow = await writing(store)
      await slow.takeNumber()
      for (let n = 1; n < 5; n += 1) {
        await saveProbes(store, { probes: [aProbe({ atUs: NOON_US + n })] })
        expect(await sequencer.step()).toBe(1)
      }
      await slow.bring('slow')
      expect(await sequencer.step()).toBe(1)
      expect((await loggedIn(store)).at(-1)).toBe('slow')
    },
  )

  it.skipIf(engine.name === 'sqlite')('sees whoever has taken a number as under way', async () => {
    const store = await engine.open()
    await store.write((writer) => store.dialect.entryIds(writer, 1))
    const own = await store.write(async (writer) => {
      await store.dialect.entryIds(writer, 1)
      return sql<{ n: string | null }>`select pg_current_xact_id_if_assigned()::text as n`.execute(writer)
    })
    expect(Number(own.rows[0]?.n)).toBeGreaterThan(0)
  })

  it.skipIf(engine.name === 'sqlite')('has what the newest transaction brings, though an older one ended', async () => {
    const store = await engine.open()
    let mayGrow = false
    const sequencer = new Sequencer({
      ...{ store, by: 'one', nowUs: () => NOON_US, onTrouble: () => undefined },
      mayGrow: async () => mayGrow,
    })
    const older = await writing(store)
    await older.takeNumber()
    const newest = await writing(store)
    await newest.takeNumber()
    await older.takeNumber()
    await older.bring('older')
    // Seen again and again, and not yet appended.
    for (let n = 0; n < 2; n += 1) expect(await sequencer.step()).toBe(0)
    mayGrow = true
    expect(await sequencer.step()).toBe(1)
    await newest.bring('newest')
    expect(await sequencer.step()).toBe(1)
    expect(await loggedIn(store)).toEqual(['older', 'newest'])
  })

  it('appends after a start what an earlier version has passed over', async () => {
    const store = await engine.open()
    await saveProbes(store, { probes: [aProbe()] })
    await store.write((writer) => writer.updateTable('log_state').set({ settled_id: 1_000_000 }).execute())
    const sequencer = sequencerOf(store)
    expect(await sequencer.step()).toBe(0)
    const stopping = new AbortController()
    const running = sequencer.run(stopping.signal)
    while ((await readTreeHead(store.read)).size === 0) await sleep(10)
    stopping.abort()
    await running
    expect(recordsOf(await loggedIn(store)).map(({ kind }) => kind)).toEqual(['probe'])
    expect((await readTreeHead(store.read)).settledId).toBe(1_000_000)
  })

  it('never has two roots for one size, with two sequencers and many writers', async () => {
    const options = await engine.empty()
    const stores = [await openStore(options), await openStore(options)]
    const roots = new Map<number, Set<string>>()
    let isWriting = true
    const now = { us: NOON_US }
    const sequence = async (store: Store, by: string): Promise<void> => {
      const sequencer = sequencerOf(store, by, now)
      for (let idle = 0; isWriting || idle < 3; ) {
        // Leases end at once, so that both are always at it.
        now.us += 20_000_000
        idle = (await sequencer.step()) === 0 ? idle + 1 : 0
        await sleep(10)
        const { size, root } = await readTreeHead(store.read)
        roots.set(size, (roots.get(size) ?? new Set()).add(root))
      }
    }
    const sequencing = stores.map((store, n) => sequence(store, `program ${n}`))
    const write = async (store: Store, of: number): Promise<void> => {
      for (let n = 0; n < 25; n += 1)
        await saveProbes(store, { probes: [aProbe({ host: `h${n % 5}.seller.example`, atUs: NOON_US + n * 10 + of })] })
    }
    await Promise.all(stores.flatMap((store, of) => [write(store, of), write(store, of + 2)]))
    isWriting = false
    await Promise.all(sequencing)
    const [store] = stores
    if (store === undefined) throw new Error('no store')
    const entries = await loggedIn(store)
    expect([...roots.values()].filter((of) => of.size > 1)).toEqual([])
    expect(recordsOf(entries)).toHaveLength(100)
    expect(new Set(entries).size).toBe(entries.length)
    expect((await readTreeHead(store.read)).root).toBe(await rootOf(entries))
    expect(await pendingEntries(store.read, -1, 10)).toEqual([])
    for (const each of stores) await each.close()
  })
})
