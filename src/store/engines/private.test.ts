import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/engines.ts'
import { aListing } from '../../../test/support/samples.ts'
import { saveListings } from '../facts/save-listings.ts'
import { openSqlite, SQLITE_FILE } from './sqlite.ts'
import { HOLD_FILE } from './sqlite-file.ts'

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

it('keeps a new store for its owner alone, the files beside it too', async () => {
  const folder = join(temporaryFolder(), 'data')
  const store = await openSqlite(folder)
  await saveListings(store, { listings: [aListing()] })
  const files = readdirSync(folder)
  expect(files.toSorted()).toEqual([SQLITE_FILE, `${SQLITE_FILE}-shm`, `${SQLITE_FILE}-wal`, HOLD_FILE])
  expect([modeOf(folder), ...files.map((file) => modeOf(join(folder, file)))]).toEqual([
    '700',
    '600',
    '600',
    '600',
    '600',
  ])
  await store.close()
})

it('closes the files of an older store, and leaves a folder that was there as it is', async () => {
  const folder = temporaryFolder()
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, SQLITE_FILE), '', { mode: 0o644 })
  const store = await openSqlite(folder)
  expect([modeOf(folder), modeOf(join(folder, SQLITE_FILE))]).toEqual(['755', '600'])
  await store.close()
})

/** Locks of this program on a file, as the system has them. */
function locksOn(path: string): number {
  const { ino } = statSync(path)
  const lines = readFileSync('/proc/locks', 'utf8').split('\n')
  return lines.filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${ino} `)).length
}

it.runIf(existsSync('/proc/locks'))('keeps its locks where the same program opens the store once more', async () => {
  const folder = temporaryFolder()
  const path = join(folder, SQLITE_FILE)
  const store = await openSqlite(folder)
  await saveListings(store, { listings: [aListing()] })
  const held = locksOn(path)
  const again = await openSqlite(folder)
  expect(held).toBeGreaterThan(0)
  expect(locksOn(path)).toBe(held)
  await again.close()
  await store.close()
})
