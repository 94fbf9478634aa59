import { describe, expect, inject, it, vi } from 'vitest'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { aListing, NOON_US } from '../../../test/support/samples.ts'
import { saveListings } from '../facts/save-listings.ts'
import { openStore } from '../open.ts'
import { takeChecks } from '../reviews/review-checks.ts'
import { takeClaims } from '../sellers/claims.ts'

describe.skipIf(inject('databaseUrl') === null)('the epoch on Postgres', () => {
  it('moves at once with what this program writes, and soon with what another one does', async () => {
    const options = {
      dataDir: '',
      databaseUrl: await freshDatabase(inject('databaseUrl') ?? '', inject('madeStores')?.postgres),
    }
    const [ours, theirs] = [await openStore(options), await openStore(options)]
    const before = ours.epoch()
    await saveListings(ours, { listings: [aListing()] })
    const after = ours.epoch()
    expect(after).not.toBe(before)
    await saveListings(theirs, { listings: [aListing({ path: '/v1/other' })] })
    await vi.waitFor(() => expect(ours.epoch()).not.toBe(after), { timeout: 20_000, interval: 50 })
    await ours.close()
    await theirs.close()
  })

  it('stays while nothing is due to be looked at', async () => {
    const databaseUrl = await freshDatabase(inject('databaseUrl') ?? '', inject('madeStores')?.postgres)
    const store = await openStore({ dataDir: '', databaseUrl })
    // Its first look counts as a change.
    await vi.waitFor(async () => {
      const before = store.epoch()
      expect(await takeChecks(store, NOON_US, 1_000_000, 10)).toEqual([])
      expect(await takeClaims(store, NOON_US, 1_000_000, 10)).toEqual([])
      expect(store.epoch()).toBe(before)
    }, 20_000)
    await store.close()
  })
})
