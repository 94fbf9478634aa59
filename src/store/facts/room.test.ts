import { expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { NOON_US } from '../../../test/support/samples.ts'
import type { Store } from '../store.ts'
import { NO_EVIDENCE } from '../transfer/evidence.ts'
import { saveEvidence } from '../transfer/save-evidence.ts'
import { type Difference, verifyStore } from '../transfer/verify.ts'
import type { ListingInput } from './listings.ts'
import { MOST_ROWS } from './room.ts'
import { saveListings } from './save-listings.ts'

const HOST = 'restless.seller.example'
const HOUR_US = 3_600_000_000

const row = (price: number, atUs: number, more: Partial<ListingInput> = {}): ListingInput => ({
  ...({ host: HOST, scheme: 'https', method: 'GET', path: '/v1/x', rail: 'x402', source: 'bazaar' } as const),
  ...{ price, network: 'base', firstUs: atUs, lastUs: atUs },
  ...more,
})

const rowsOf = async (store: Store) =>
  (await store.read.selectFrom('listings').selectAll().where('price', '>=', -1).execute()).length

const routeOf = async (store: Store) => (await directoryOf(store).hostView(HOST, { limit: 5, cursor: null }))?.routes[0]

onEachEngine('a source that names another price of a route at every sweep', (engine) => {
  it('opens so many rows of it and no more: a price beyond is none, and the route stays listed', async () => {
    const store = await engine.open()
    const known = Array.from({ length: MOST_ROWS }, (_, n) => row(n + 1, NOON_US + n))
    await saveEvidence(store, { ...NO_EVIDENCE, listings: known })
    let atUs = NOON_US
    const sweep = async (...said: ReturnType<typeof row>[]): Promise<void> => {
      atUs += HOUR_US
      const listings = said.map((one) => ({ ...one, firstUs: atUs, lastUs: atUs, sweepUs: atUs }))
      await saveListings(store, { listings }, { announceUs: atUs })
    }

    for (const price of [5001, 5002, 5003]) await sweep(row(price, atUs))
    expect(await rowsOf(store)).toBe(MOST_ROWS + 1)
    expect(await routeOf(store)).toMatchObject({ price: null, network: 'base' })

    // A network that it never named there is none, either; another writing of one that it did name is that one.
    await sweep(row(5004, atUs, { network: 'eip155:8453' }), row(5005, atUs, { network: 'eip155:777001' }))
    await sweep(row(5006, atUs, { network: 'eip155:777002' }))
    expect(await rowsOf(store)).toBe(MOST_ROWS + 2)

    // What it named before, it goes on to name; others have room of their own.
    await sweep(row(7, atUs))
    expect(await routeOf(store)).toMatchObject({ price: 7, network: 'base' })
    await sweep(row(3, atUs, { source: 'payai' }), row(7, atUs))
    expect(await routeOf(store)).toMatchObject({ price: 3, spread: { low: 3, high: 7 } })
    expect(await rowsOf(store)).toBe(MOST_ROWS + 3)

    const differences: Difference[] = []
    await verifyStore(store, (difference) => differences.push(difference))
    expect(differences).toEqual([])
  })
})
