import { chmodSync, copyFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { temporaryFolder } from '../../../test/support/engines.ts'
import { aListing } from '../../../test/support/samples.ts'
import { saveListings } from '../facts/save-listings.ts'
import { lookAtStore } from '../open.ts'
import { copySqlite, openSqlite } from './sqlite.ts'
import { SQLITE_FILE } from './sqlite-file.ts'

const NOBODY = 65_534

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

it('Who looks at a closed store while a program begins to write to it is told to look again.', async () => {
  const dataDir = copyOf(inject('madeStores')?.sqlite ?? '')
  const looking = await lookAtStore({ dataDir, databaseUrl: undefined })
  const hostsIn = (of: Pick<typeof looking, 'read'>) => of.read.selectFrom('hosts').selectAll().execute()
  const again = { detail: 'another program has begun to write to the store meanwhile', hint: 'run it again' }
  const snapshot = looking.snapshot(async (read) => {
    expect(await hostsIn({ read })).toEqual([])
    const store = await openSqlite(dataDir)
    await saveListings(store, { listings: [aListing()] })
    await store.close()
    await hostsIn({ read })
  })
  await expect(snapshot).rejects.toMatchObject(again)
  await expect(hostsIn(looking)).rejects.toMatchObject(again)
  await looking.close()
  const after = await lookAtStore({ dataDir, databaseUrl: undefined })
  expect(await hostsIn(after)).toHaveLength(1)
  await after.close()
})

it('Whoever may not look into the folder is told so, not that there is no store.', async () => {
  const dataDir = copyOf(inject('madeStores')?.sqlite ?? '')
  chmodSync(dataDir, 0o000)
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(NOBODY)
  try {
    await expect(lookAtStore({ dataDir, databaseUrl: undefined })).rejects.toMatchObject({
      detail: `this user may not look into the data folder ${dataDir}`,
      hint: expect.stringContaining('the user that runs tollbook'),
    })
  } finally {
    if (isRoot) process.seteuid?.(0)
    chmodSync(dataDir, 0o700)
  }
})

it('A closed store is copied from a folder that takes no more files.', async () => {
  const folder = copyOf(inject('madeStores')?.sqlite ?? '')
  const place = temporaryFolder()
  chmodSync(join(folder, SQLITE_FILE), 0o644)
  chmodSync(folder, 0o555)
  chmodSync(place, 0o777)
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(NOBODY)
  try {
    await copySqlite(join(folder, SQLITE_FILE), join(place, 'copy.db'))
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
  expect(statSync(join(place, 'copy.db')).size).toBeGreaterThan(0)
})
