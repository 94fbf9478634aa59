import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { temporaryFolder } from '../../../test/support/engines.ts'
import { aListing } from '../../../test/support/samples.ts'
import { saveListings } from '../facts/save-listings.ts'
import { lookAtStore } from '../open.ts'
import { openSqlite } from './sqlite.ts'
import { SQLITE_FILE } from './sqlite-file.ts'

/** A folder with a copy of the file alone, without what lies beside it. */
function copyOf(file: string): string {
  const folder = temporaryFolder()
  copyFileSync(file, join(folder, SQLITE_FILE))
  return folder
}

it('The file of a closed store has everything by itself.', async () => {
  const folder = temporaryFolder()
  const store = await openSqlite(folder)
  await saveListings(store, { listings: [aListing()] })
  const viewIn = (of: typeof store) => directoryOf(of).hostView('api.seller.example', { limit: 50, cursor: null })
  const before = await viewIn(store)
  await store.close()
  const copy = await openSqlite(copyOf(join(folder, SQLITE_FILE)))
  expect(before?.routes).toHaveLength(1)
  expect(await viewIn(copy)).toEqual(before)
  await copy.close()
})

it('Tests begin with stores that are made, and make none themselves.', async () => {
  const dataDir = copyOf(inject('madeStores')?.sqlite ?? '')
  const store = await lookAtStore({ dataDir, databaseUrl: undefined })
  expect(await store.read.selectFrom('hosts').selectAll().execute()).toEqual([])
  await store.close()
})
