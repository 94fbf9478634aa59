import { describe, expect, inject, it, vi } from 'vitest'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { aListing } from '../../../test/support/samples.ts'
import { saveListings } from '../facts/save-listings.ts'
import { openStore } from '../open.ts'

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
})
