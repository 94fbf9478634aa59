import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { onEachEngine, temporaryFolder } from '../../../test/support/engines.ts'
import { aListing, aProbe, NOON_US } from '../../../test/support/samples.ts'
import { connect } from '../engines/sqlite-connection.mjs'
import { SQLITE_FILE } from '../engines/sqlite-file.ts'
import { saveListings } from '../facts/save-listings.ts'
import { openStore } from '../open.ts'
import { saveProbes } from '../probes/save-probes.ts'
import { keepTotals } from '../search/kept-totals.ts'
import { readTotals } from '../search/read-totals.ts'
import type { Store } from '../store.ts'
import { backUp, restore } from './backup.ts'
import { exportRecords } from './export.ts'

const hostAt = (n: number): string => `h${n}.seller.example`

async function fill(store: Store, hosts: number): Promise<void> {
  for (let n = 0; n < hosts; n += 1) {
    await saveListings(store, { listings: [aListing({ host: hostAt(n) })] })
    await saveProbes(store, { probes: [aProbe({ host: hostAt(n) })] })
  }
}

async function contentOf(store: Store): Promise<string> {
  const lines: string[] = []
  await exportRecords(store, async (records) => {
    lines.push(...records.map((record) => JSON.stringify(record)))
  })
  return lines.join('\n')
}

onEachEngine('a backup', (engine) => {
  it('gives the same store again, verified, and only its owner may read it', async () => {
    const store = await engine.open()
    await fill(store, 20)
    const file = join(temporaryFolder(), 'copy')
    expect(await backUp(store, file)).toMatchObject({ hosts: 20 })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const target = await engine.empty()
    const reopen = () => openStore(target)
    expect(await restore(await reopen(), file)).toMatchObject({ hosts: 20 })
    const restored = await reopen()
    expect(await contentOf(restored)).toBe(await contentOf(store))
    await restored.close()
  })

  it('holds no totals that were counted before, nor does what is made from it', async () => {
    const [store, target] = [await engine.open(), await engine.empty()]
    await fill(store, 1)
    const keep = async (to: Store) => keepTotals(to, await readTotals(to, NOON_US), NOON_US)
    const kept = (of: Store) => of.read.selectFrom('kept_totals').select('totals').execute()
    await keep(store)
    expect(await kept(store)).toHaveLength(1)
    const file = join(temporaryFolder(), 'copy')
    await backUp(store, file)
    if (engine.name === 'sqlite') {
      const copy = connect(file, { readOnly: false })
      expect(copy.database.prepare('select * from kept_totals').all()).toEqual([])
      // As if it had been copied by other means.
      copy.database.exec("insert into kept_totals values (1, 1, '{}')")
      copy.close()
    }
    const empty = await openStore(target)
    await keep(empty)
    await restore(empty, file)
    const restored = await openStore(target)
    expect(await kept(restored)).toEqual([])
    await restored.close()
  })

  it('holds hosts that are not allowed any more', async () => {
    const store = await engine.open()
    for (const host of ['one.test:8080', 'localhost', '127.0.0.1:9000'])
      await saveListings(store, { listings: [aListing({ host })] })
    const file = join(temporaryFolder(), 'copy')
    expect(await backUp(store, file)).toMatchObject({ hosts: 3 })
    expect(await restore(await openStore(await engine.empty()), file)).toMatchObject({ hosts: 3 })
  })

  it('is of one moment while others write, and none of it is left when it fails', async () => {
    const store = await engine.open()
    await fill(store, 5)
    const folder = temporaryFolder()
    const writing = fill(store, 40)
    const { hosts } = await backUp(store, join(folder, 'copy'))
    await writing
    expect(hosts).toBeGreaterThanOrEqual(5)
    await expect(backUp(store, join(folder, 'nowhere', 'copy'))).rejects.toThrow()
    expect(existsSync(join(folder, 'nowhere'))).toBe(false)
  })

  it('is never put over anything', async () => {
    const store = await engine.open()
    await fill(store, 1)
    const file = join(temporaryFolder(), 'copy')
    await backUp(store, file)
    const target = await engine.empty()
    const reopen = () => openStore(target)
    const used = await reopen()
    await saveListings(used, { listings: [aListing({ host: 'mine.seller.example' })] })
    await expect(restore(used, file)).rejects.toThrow('not empty')
    const after = await reopen()
    expect(await contentOf(after)).toContain('mine.seller.example')
    await after.close()
  })

  it('is not put in the place of a store that somebody writes to while it is looked at', async () => {
    if (engine.name !== 'sqlite') return
    const store = await engine.open()
    await fill(store, 1)
    const file = join(temporaryFolder(), 'copy')
    await backUp(store, file)
    const target = await engine.empty()
    const path = join(target.dataDir ?? '', SQLITE_FILE)
    let isEnded = false
    const begunToWrite = async (): Promise<void> => {
      const isLookedAt = (): boolean => readdirSync(dirname(path)).some((name) => name.startsWith('.tollbook-restore-'))
      while (!isLookedAt() && !isEnded) await new Promise((resolve) => setImmediate(resolve))
      const other = connect(path, { readOnly: false })
      other.database.exec("insert into sources (name, due_us, lease_until_us) values ('mine', 0, 0)")
      other.close()
    }
    const restoring = restore(await openStore(target), file).finally(() => {
      isEnded = true
    })
    await Promise.all([expect(restoring).rejects.toThrow('begun to write'), begunToWrite()])
    const after = await openStore(target)
    expect(await after.read.selectFrom('sources').select('name').execute()).toEqual([{ name: 'mine' }])
    await after.close()
  })

  it('that was damaged is refused', async () => {
    const store = await engine.open()
    await fill(store, 10)
    const file = join(temporaryFolder(), 'copy')
    await backUp(store, file)
    const bytes = readFileSync(file)
    // Records end at the end of a line: each of them is still good.
    const isDamaged = expect.stringMatching(new RegExp(`^${file} is damaged: `))
    const cut = bytes.subarray(0, Math.floor(bytes.length * 0.6))
    writeFileSync(file, engine.name === 'postgres' ? cut.subarray(0, cut.lastIndexOf('\n') + 1) : cut)
    const target = await engine.empty()
    const reopen = () => openStore(target)
    await expect(restore(await reopen(), file)).rejects.toMatchObject({ slug: 'backup', detail: isDamaged })
    // Whatever of a file of SQLite is gone, the fault is the file's.
    for (const part of engine.name === 'sqlite' ? [0.01, 0.3, 0.9, 0.99] : []) {
      writeFileSync(file, bytes.subarray(0, Math.floor(bytes.length * part)))
      await expect(restore(await reopen(), file)).rejects.toMatchObject({ slug: 'backup', detail: isDamaged })
    }
    const after = await reopen()
    expect(await contentOf(after)).toBe('')
    await after.close()
  })
})
