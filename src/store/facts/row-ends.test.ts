import fc from 'fast-check'
import { expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aChallenge, aListing, aProbe, NOON_US } from '../../../test/support/samples.ts'
import { saveProbes } from '../probes/save-probes.ts'
import type { Store } from '../store.ts'
import { exportRecords } from '../transfer/export.ts'
import { type Difference, verifyStore } from '../transfer/verify.ts'
import { endRows } from './row-ends.ts'
import { saveListings } from './save-listings.ts'

const HOST = 'api.seller.example'
const HOUR_US = 3_600_000_000

/** A complete sweep as the ingester does it: what the source says, then the end of what it does not say any more. */
async function sweep(
  store: Store,
  source: string,
  startedUs: number,
  said: readonly { readonly price: number; readonly network?: string; readonly host?: string }[],
  isWhole = true,
): Promise<void> {
  const seen = { source, firstUs: startedUs + 1, lastUs: startedUs + 1 }
  const listings = said.map((one) => aListing({ ...seen, network: 'base', ...one }))
  await saveListings(store, { listings }, { announceUs: startedUs + 1 })
  await endRows(store, { source, startedUs, endedUs: startedUs + 9, isWhole })
}

const routeOf = async (store: Store, host = HOST) =>
  (await directoryOf(store).hostView(host, { limit: 5, cursor: null }))?.routes[0]

const priceEvents = async (store: Store): Promise<string[]> => {
  const rows = await store.read.selectFrom('events').select(['kind', 'data']).orderBy('at_us').execute()
  return rows.flatMap(({ kind, data }) => {
    const { source, from, to } = JSON.parse(data)
    return kind === 'price_changed' ? [`${source} ${from} to ${to}`] : []
  })
}

const differences = async (store: Store): Promise<Difference[]> => {
  const found: Difference[] = []
  await verifyStore(store, (difference) => found.push(difference))
  return found
}

onEachEngine('the price of a route', (engine) => {
  it('is of the rows that their sources still name, and says where these disagree', async () => {
    const store = await engine.open()
    await sweep(store, 'bazaar', NOON_US, [{ price: 250_000 }])
    await sweep(store, 'index', NOON_US + 100, [{ price: 10_000 }])
    expect(await routeOf(store)).toMatchObject({ price: 10_000, spread: { low: 10_000, high: 250_000 } })
    await sweep(store, 'index', NOON_US + HOUR_US, [])
    expect(await routeOf(store)).toMatchObject({ price: 250_000, spread: null })
    expect((await routeOf(store))?.listings.map(({ source, goneUs }) => [source, goneUs])).toEqual([
      ['index', NOON_US + HOUR_US],
      ['bazaar', undefined],
    ])
    // A row that has ended keeps its first end, and none when it is named again.
    await sweep(store, 'index', NOON_US + 2 * HOUR_US, [])
    expect((await routeOf(store))?.listings[0]?.goneUs).toBe(NOON_US + HOUR_US)
    await sweep(store, 'index', NOON_US + 3 * HOUR_US, [{ price: 10_000 }])
    expect(await routeOf(store)).toMatchObject({ price: 10_000, spread: { low: 10_000, high: 250_000 } })
    // What was named last stays where nobody names the route any more.
    await sweep(store, 'index', NOON_US + 4 * HOUR_US, [])
    await sweep(store, 'bazaar', NOON_US + 4 * HOUR_US, [])
    expect((await routeOf(store))?.price).toBe(10_000)
    expect(await priceEvents(store)).toEqual([])
    expect(await differences(store)).toEqual([])
  })

  it('is of real money, and differs where the challenge matches a test network only, naming that row', async () => {
    const store = await engine.open()
    await sweep(store, 'bazaar', NOON_US, [{ price: 10_000_000 }])
    await sweep(store, 'index', NOON_US + 100, [{ price: 10_000, network: 'base-sepolia' }])
    await saveProbes(store, { probes: [aProbe({ challenge: aChallenge(10_000, 'eip155:84532') })] })
    expect(await routeOf(store)).toMatchObject({
      price: 10_000_000,
      probeStatus: 'differs',
      matching: { source: 'index', price: 10_000, network: 'base-sepolia' },
    })
    await saveProbes(store, { probes: [aProbe({ atUs: NOON_US + 5, challenge: aChallenge(10_000_000) })] })
    expect(await routeOf(store)).toMatchObject({ price: 10_000_000, probeStatus: 'verified', matching: null })
    expect(await differences(store)).toEqual([])
  })

  it('stays what a seller said that says nothing now', async () => {
    const store = await engine.open()
    const both = ['a.seller.example', 'b.seller.example'].map((host) => ({ price: 10_000, host }))
    await sweep(store, 'well-known', NOON_US, both, false)
    await sweep(store, 'well-known', NOON_US + HOUR_US, [{ price: 20_000, host: 'a.seller.example' }], false)
    expect((await routeOf(store, 'a.seller.example'))?.listings.map(({ goneUs }) => goneUs)).toEqual([
      undefined,
      NOON_US + HOUR_US,
    ])
    expect((await routeOf(store, 'b.seller.example'))?.listings.map(({ goneUs }) => goneUs)).toEqual([undefined])
  })

  it('is the same after sweeps in any order, and only what a source says differently is announced, by its name', async () => {
    const said = { bazaar: [250_000, 250_000], index: [10_000, 20_000, 10_000], seller: [100_000, 100_000] }
    const turns = (['bazaar', 'bazaar', 'index', 'index', 'index', 'seller', 'seller'] as const).map((source, at) => ({
      source,
      at,
    }))
    const orders = fc.shuffledSubarray(turns, { minLength: turns.length })
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        const store = await engine.open()
        const count = { bazaar: 0, index: 0, seller: 0 }
        for (const [at, { source }] of order.entries()) {
          const price = said[source][count[source]++] ?? 0
          await sweep(store, source, NOON_US + at * HOUR_US, [{ price }])
        }
        expect(await routeOf(store)).toMatchObject({ price: 10_000, spread: { low: 10_000, high: 250_000 } })
        expect(await priceEvents(store)).toEqual(['index 0.010000 to 0.020000', 'index 0.020000 to 0.010000'])
        expect(await differences(store)).toEqual([])
      }),
      { numRuns: 8 },
    )
  })

  it('is exported with the end of each row', async () => {
    const store = await engine.open()
    await sweep(store, 'bazaar', NOON_US, [{ price: 250_000 }])
    await sweep(store, 'bazaar', NOON_US + HOUR_US, [{ price: 10_000 }])
    const ends: unknown[] = []
    await exportRecords(store, async (records) => {
      for (const record of records) if (record.kind === 'listing') ends.push(record.no_longer_named_since)
    })
    expect(ends).toEqual([undefined, '2026-11-14T13:00:00.000000Z'])
  })
})
