import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ALL_HOSTS, directoryOf } from '../../test/support/directory.ts'
import { onEachEngine } from '../../test/support/engines.ts'
import { aChallenge, aListing, aPost, aProbe, aReview, aRoute, evidence, NOON_US } from '../../test/support/samples.ts'
import { saveListings } from './facts/save-listings.ts'
import { openStore } from './open.ts'
import { saveProbes } from './probes/save-probes.ts'
import { saveEvidence } from './transfer/save-evidence.ts'
import { type Difference, verifyStore } from './transfer/verify.ts'

const HOST = 'api.seller.example'
const FIRST = { limit: 50, cursor: null }

onEachEngine('store', (engine) => {
  const differencesOf = async (store: Awaited<ReturnType<typeof engine.open>>): Promise<Difference[]> => {
    const found: Difference[] = []
    await verifyStore(store, (difference) => found.push(difference))
    return found
  }

  it('shows a listed route that nobody has probed', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: [aListing()] })
    const view = await directoryOf(store).hostView(HOST, FIRST)
    expect(view).toMatchObject({
      counters: { routes: 1, machineEvidenceRows: 0, newestEvidenceUs: null, agentReviews: 0 },
      latency: null,
      routes: [{ price: 10_000, network: 'base', probeStatus: 'unverified', probes: [], probesTotal: 0, reviews: [] }],
      nextRoutes: null,
    })
  })

  it('does not know a host that no source named', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: [aListing()] })
    const directory = directoryOf(store)
    expect(await directory.hostView('other.example', FIRST)).toBeUndefined()
    expect(await directory.hostVersion('other.example')).toBeUndefined()
    expect(await directory.nearHosts('api.seler.example')).toEqual([HOST])
  })

  it('keeps first observed and moves last observed, in whatever order sightings arrive', async () => {
    const store = await engine.open()
    const seen = [3, 1, 2].map((n) => aListing({ firstUs: NOON_US + n, lastUs: NOON_US + 10 * n }))
    for (const listing of seen) await saveListings(store, { listings: [listing, listing] })
    const view = await directoryOf(store).hostView(HOST, FIRST)
    expect(view?.routes[0]?.listings).toEqual([
      { source: 'bazaar', price: 10_000, network: 'base', firstUs: NOON_US + 1, lastUs: NOON_US + 30 },
    ])
  })

  it('opens a new row for another price and takes the price of the newest', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: [aListing({ price: 50_000 })] })
    await saveListings(store, { listings: [aListing({ price: 20_000, lastUs: NOON_US + 5 })] })
    await saveListings(store, { listings: [aListing({ price: null, source: 'other', lastUs: NOON_US + 5 })] })
    const view = await directoryOf(store).hostView(HOST, FIRST)
    expect(view?.routes[0]?.listings).toHaveLength(3)
    expect(view?.routes[0]?.price).toBe(20_000)
  })

  it('counts every entry once, whatever is saved again', async () => {
    const store = await engine.open()
    const probes = [200, 402, 404, null, 401].map((httpStatus, i) =>
      aProbe({ httpStatus, atUs: NOON_US + i, latencyMs: [80, 120, 121, 10_000, 121][i] ?? 0 }),
    )
    await saveProbes(store, { probes: [...probes, ...probes] })
    await saveProbes(store, { probes })
    const view = await directoryOf(store).hostView(HOST, FIRST)
    expect(view?.results).toEqual({ answers: 1, '402-correct': 1, failed: 2, unreachable: 1 })
    expect(view?.latency).toEqual({ samples: 5, minMs: 80, medianMs: 121, p95Ms: 10_000, maxMs: 10_000 })
    expect(view?.counters.newestEvidenceUs).toBe(NOON_US + 4)
    expect(view?.routes[0]?.probes.map((probe) => probe.atUs - NOON_US)).toEqual([4, 3, 2, 1, 0])
    expect(await differencesOf(store)).toEqual([])
  })

  it('gives the exact median over all entries of the host', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(12_000), { minLength: 1, maxLength: 60 }), async (latencies) => {
        const store = await openStore(await engine.empty())
        const probes = latencies.map((latencyMs, i) =>
          aProbe({ latencyMs, atUs: NOON_US + i, path: i % 2 ? '/a' : '/b' }),
        )
        for (let i = 0; i < probes.length; i += 17) await saveProbes(store, { probes: probes.slice(i, i + 17) })
        const view = await directoryOf(store).hostView(HOST, FIRST)
        await store.close()
        const sorted = latencies.toSorted((a, b) => a - b)
        const middle = (sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)
        expect(view?.latency).toEqual({
          samples: sorted.length,
          minMs: sorted[0],
          medianMs: middle / 2,
          p95Ms: sorted[Math.ceil(sorted.length * 0.95) - 1],
          maxMs: sorted.at(-1),
        })
      }),
      { numRuns: 10 },
    )
  })

  it('becomes verified, differs and verified again as challenge and listing move', async () => {
    const store = await engine.open()
    const statusNow = async () => (await directoryOf(store).hostView(HOST, FIRST))?.routes[0]?.probeStatus
    await saveEvidence(store, evidence({ listings: [aListing()], probes: [aProbe()] }))
    expect(await statusNow()).toBe('unverified')
    await saveProbes(store, { probes: [aProbe({ atUs: NOON_US + 5, challenge: aChallenge(10_000) })] })
    expect(await statusNow()).toBe('verified')
    await saveProbes(store, { probes: [aProbe({ atUs: NOON_US + 9, challenge: aChallenge(30_000) })] })
    expect(await statusNow()).toBe('differs')
    // An older entry that arrives late changes nothing.
    await saveProbes(store, { probes: [aProbe({ atUs: NOON_US + 6, challenge: aChallenge(10_000) })] })
    expect(await statusNow()).toBe('differs')
    await saveListings(store, { listings: [aListing({ price: 30_000, lastUs: NOON_US + 99 })] })
    expect(await statusNow()).toBe('verified')
    expect(await differencesOf(store)).toEqual([])
  })

  it('counts agent reviews by level and never those of founders and sellers', async () => {
    const store = await engine.open()
    const reviews = [
      aReview({ id: 'a', level: 'Verified buyer', signedAt: '2026-11-14T12:00:01Z' }),
      aReview({ id: 'b', level: 'Unsigned', wallet: null, signature: null, signedAt: null }),
      aReview({ id: 'c', excluded: 'founder' }),
      aReview({ id: 'd', excluded: 'self-generated' }),
      aReview({ id: 'e', superseded: true }),
    ]
    await saveEvidence(store, evidence({ reviews: [...reviews, ...reviews] }))
    const directory = directoryOf(store)
    const view = await directory.hostView(HOST, FIRST)
    expect(view?.counters.agentReviews).toBe(2)
    expect(view?.reviewCounts).toEqual({ byLevel: { 'Verified buyer': 1, Signed: 0, Unsigned: 1 }, excluded: 2 })
    expect(view?.routes[0]?.reviewsTotal).toBe(5)
    const page = await directory.reviews(HOST, { limit: 2, cursor: null })
    const rest = await directory.reviews(HOST, { limit: 10, cursor: page?.next ?? null })
    expect([page?.items, rest?.items].flat().map((review) => review?.id)).toEqual(['e', 'd', 'c', 'b', 'a'])
    expect(await differencesOf(store)).toEqual([])
  })

  it('shows the thread oldest first and empties what was hidden', async () => {
    const store = await engine.open()
    const posts = [
      aPost({ id: 'late', postedUs: NOON_US + 9 }),
      aPost({ id: 'hidden', postedUs: NOON_US + 5, hidden: { atUs: NOON_US + 6, reason: 'unlawful' } }),
      aPost({ id: 'early' }),
    ]
    await saveEvidence(store, evidence({ posts }))
    const view = await directoryOf(store).hostView(HOST, FIRST)
    expect(view?.thread.total).toBe(3)
    expect(view?.thread.posts.map((post) => [post.id, post.text === ''])).toEqual([
      ['early', false],
      ['hidden', true],
      ['late', false],
    ])
  })

  it('saves nothing of a batch that fails', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: [aListing()] })
    const failing = store.write(async (writer) => {
      await writer.deleteFrom('listings').execute()
      throw new Error('half way')
    })
    await expect(failing).rejects.toThrow('half way')
    expect((await directoryOf(store).hostView(HOST, FIRST))?.routes[0]?.listings).toHaveLength(1)
  })

  it('names every counter that its rows do not give', async () => {
    const store = await engine.open()
    await saveEvidence(
      store,
      evidence({ listings: [aListing()], probes: [aProbe()], reviews: [aReview()], posts: [aPost()] }),
    )
    expect(await differencesOf(store)).toEqual([])
    await store.write(async (writer) => {
      await writer.updateTable('host_counters').set({ answers: 7, latency_max_ms: 9, posts: 3 }).execute()
      await writer.updateTable('host_latency').set({ n: 2 }).where('step', '=', 1).execute()
      await writer.updateTable('route_state').set({ price: 1, probes: 5, probe_status: 'verified' }).execute()
    })
    const found = await differencesOf(store)
    expect(found.map(({ what, stored, counted }) => `${what}: ${stored} ${counted}`).toSorted()).toEqual(
      [
        'GET https…/v1/weather x402 price: 1 10000',
        'GET https…/v1/weather x402 probe_status: verified unverified',
        'GET https…/v1/weather x402 probes: 5 1',
        'answers: 7 0',
        'entries of 80 ms: 2 1',
        'latency_max_ms: 9 80',
        'posts: 3 1',
        // Summed up from what is stored of routes, right or wrong.
        'price_min: 10000 1',
        'routes_verified: 0 1',
      ].toSorted(),
    )
  })

  it('gives a collided key the next free number', async () => {
    const store = await engine.open()
    const { hostKey, nextKey } = await import('../domain/keys.ts')
    const taken = hostKey(HOST)
    await store.write(async (writer) => {
      await writer.insertInto('hosts').values({ host_id: taken, name: 'squatter.example' }).execute()
    })
    await saveListings(store, { listings: [aListing()] })
    const row = await store.read.selectFrom('hosts').selectAll().where('name', '=', HOST).executeTakeFirst()
    expect(row?.host_id).toBe(nextKey(taken))
    expect((await directoryOf(store).hostView(HOST, FIRST))?.host).toBe(HOST)
  })

  it('sees what another program wrote', async () => {
    const options = await engine.empty()
    const [here, there] = [await openStore(options), await openStore(options)]
    const before = here.epoch()
    await saveListings(there, { listings: [aListing()] })
    await expect.poll(() => here.epoch(), { timeout: 2000 }).not.toBe(before)
    // Twice the version, and one more once the log has it.
    expect(await directoryOf(here).hostVersion(HOST)).toBe(2)
    await here.close()
    await there.close()
  })

  it('takes writes of several programs at once without losing any', async () => {
    const options = await engine.empty()
    const stores = [await openStore(options), await openStore(options), await openStore(options)]
    await Promise.all(
      stores.map(async (store, s) => {
        for (let i = 0; i < 10; i++) {
          const probes = Array.from({ length: 20 }, (_, k) =>
            aProbe({
              ...aRoute({ host: `h${(i + k) % 5}.example`, path: `/${k % 4}` }),
              atUs: NOON_US + s * 1e6 + i * 1000 + k,
            }),
          )
          await saveEvidence(store, evidence({ probes, listings: [aListing({ host: `h${i % 5}.example` })] }))
        }
      }),
    )
    const [store] = stores
    if (!store) throw new Error('no store')
    expect((await directoryOf(store).home({ ...ALL_HOSTS, limit: 9 })).totals.probes).toBe(600)
    expect(await differencesOf(store)).toEqual([])
    for (const each of stores) await each.close()
  })
})
