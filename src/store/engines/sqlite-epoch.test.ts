import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/engines.ts'
import { aListing } from '../../../test/support/samples.ts'
import { saveListings } from '../facts/save-listings.ts'
import { openSqlite } from './sqlite.ts'

it('The epoch moves at once with what this program writes, and not with a write that changes nothing.', async () => {
  const store = await openSqlite(temporaryFolder())
  await saveListings(store, { listings: [aListing()] })
  const after = store.epoch()
  await store.write((writer) => writer.updateTable('hosts').set({ name: 'x' }).where('host_id', '=', -1).execute())
  await store.write(async () => undefined)
  expect(store.epoch()).toBe(after)
  await store.write((writer) => writer.updateTable('hosts').set({ name: 'x.example' }).execute())
  expect(store.epoch()).not.toBe(after)
  await store.close()
})
