import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/engines.ts'
import { aListing } from '../../../test/support/samples.ts'
import { saveListings } from '../facts/save-listings.ts'
import { lookAtStore } from '../open.ts'
import { openSqlite } from './sqlite.ts'
import { SQLITE_FILE } from './sqlite-file.ts'

/** How many listings the file has by itself, without the log beside it. */
async function listingsIn(file: string): Promise<number> {
  const dataDir = temporaryFolder()
  copyFileSync(file, join(dataDir, SQLITE_FILE))
  const store = await lookAtStore({ dataDir, databaseUrl: undefined })
  const found = await store.read.selectFrom('listings').select('route_id').execute()
  await store.close()
  return found.length
}

it('What many rows have changed is written back into the file once their commit is answered.', async () => {
  const folder = temporaryFolder()
  const store = await openSqlite(folder)
  const listings = Array.from({ length: 1000 }, (_, n) => aListing({ path: `/v1/${n}` }))
  await saveListings(store, { listings })
  // The next one that is waited for comes after it.
  await store.write(async () => undefined)
  expect(await listingsIn(join(folder, SQLITE_FILE))).toBe(listings.length)
  await store.close()
})
