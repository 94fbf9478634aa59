import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { directoryOf } from '../../../../test/support/directory.ts'
import { onBothEngines } from '../../../../test/support/engines.ts'
import { aChallenge, aListing, aProbe, NOON_US } from '../../../../test/support/samples.ts'
import { saveListings } from '../../facts/save-listings.ts'
import { saveSweep } from '../../facts/sweeps.ts'
import { saveProbes } from '../../probes/save-probes.ts'
import { type Difference, verifyStore } from '../../transfer/verify.ts'
import { routePrices } from './011-route-prices.ts'

const HOUR_US = 3_600_000_000
const seenAt = (us: number) => ({ firstUs: us, lastUs: us })

onBothEngines('the step that chooses prices by the rows that stand', (engine) => {
  it('ends the rows that complete sweeps left out, and gives every route its price anew', async () => {
    const store = await engine.open()
    await saveListings(store, {
      listings: [
        aListing({ path: '/test', price: 10_000_000, ...seenAt(NOON_US + HOUR_US) }),
        aListing({ path: '/test', price: 10_000, network: 'base-sepolia', source: 'index', ...seenAt(NOON_US + 5) }),
        aListing({ path: '/gone', price: 1000, ...seenAt(NOON_US) }),
        aListing({ path: '/gone', price: 2000, ...seenAt(NOON_US + HOUR_US) }),
        aListing({ path: '/gone', price: 3000, network: 'solana', ...seenAt(NOON_US) }),
        aListing({ path: '/one', price: 4000, ...seenAt(NOON_US) }),
      ],
    })
    await saveProbes(store, { probes: [aProbe({ path: '/test', challenge: aChallenge(10_000, 'base-sepolia') })] })
    // As a program left it that took the row seen last.
    await store.write(async (writer) => {
      await sql`alter table listings drop column gone_us`.execute(writer)
      for (const column of ['price_low', 'price_high', 'matching'])
        await sql`alter table route_state drop column ${sql.ref(column)}`.execute(writer)
      await sql`update route_state set price = 10000, network = 'base-sepolia', probe_status = 'verified'
        where price = 10000000`.execute(writer)
      await saveSweep(writer, {
        ...{ source: 'bazaar', started_us: NOON_US + HOUR_US - 1, ended_us: NOON_US + HOUR_US, status: 'complete' },
        ...{ resumed: 0, seen: 1, stored: 1, pages: 1, bytes: 1, refused: '{}', answers: '{}', announced: null },
        error: null,
      })
      await routePrices(writer, store.dialect)
    })
    const view = await directoryOf(store).hostView('api.seller.example', { limit: 5, cursor: null })
    const routes = new Map(view?.routes.map((route) => [route.path, route]))
    expect(routes.get('/test')).toMatchObject({
      price: 10_000_000,
      probeStatus: 'differs',
      matching: { source: 'index', network: 'base-sepolia' },
    })
    expect(routes.get('/gone')).toMatchObject({ price: 2000, spread: null })
    expect(routes.get('/gone')?.listings.map(({ price, goneUs }) => [price, goneUs])).toEqual([
      [2000, undefined],
      [1000, NOON_US + HOUR_US - 1],
      [3000, NOON_US + HOUR_US - 1],
    ])
    expect(routes.get('/one')?.price).toBe(4000)
    const differences: Difference[] = []
    await verifyStore(store, (difference) => differences.push(difference))
    expect(differences).toEqual([])
  })
})
