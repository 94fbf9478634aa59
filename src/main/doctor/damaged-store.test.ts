import { closeSync, mkdirSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { onBothEngines, temporaryFolder } from '../../../test/support/engines.ts'
import { aProbe } from '../../../test/support/samples.ts'
import { commandContext } from '../../cli/testing/command-context.ts'
import { verifyCommand } from '../../cli/verify.ts'
import { SQLITE_FILE } from '../../store/engines/sqlite-file.ts'
import { lookAtStore, openStore } from '../../store/open.ts'
import { saveProbes } from '../../store/probes/save-probes.ts'
import { damageIn } from '../../store/transfer/damage.ts'
import { loadConfig } from '../config.ts'
import { databaseFinding, diskFinding } from './store-findings.ts'

const PAGE_BYTES = 4096
const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const probes = Array.from({ length: 200 }, (_, n) => aProbe({ host: `h${n}.seller.example` }))
const look = (dataDir: string) => databaseFinding(loadConfig({ DATA_DIR: dataDir }))

it('a damaged page is told by the doctor and by verify, with what to do about it', async () => {
  const options = { dataDir: join(folder, 'pages'), databaseUrl: undefined }
  const store = await openStore(options)
  await saveProbes(store, { probes })
  await store.close()
  expect(await look(options.dataDir)).toMatchObject({ state: 'ok' })
  const path = join(options.dataDir, SQLITE_FILE)
  const file = openSync(path, 'r+')
  for (let at = 120 * PAGE_BYTES; at < statSync(path).size; at += 5 * PAGE_BYTES)
    writeSync(file, Buffer.alloc(2048, 255), 0, 2048, at)
  closeSync(file)
  const [detail, hint] = [expect.stringMatching(/^the store is damaged: /), expect.stringMatching(/restore a backup/)]
  expect(await look(options.dataDir)).toEqual({ state: 'fail', what: detail, fix: hint })
  const { context } = commandContext({ openStore: () => lookAtStore(options) })
  const command = verifyCommand(globalThis.fetch, () => Promise.reject(new Error('not needed here')))
  await expect(command.run([], context)).rejects.toMatchObject({ detail, hint })
})

it('a file that is no store is told without a word of a database server', async () => {
  const dataDir = join(folder, 'junk')
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, SQLITE_FILE), 'junk'.repeat(1000))
  expect(await look(dataDir)).toEqual({
    ...{ state: 'fail', what: 'the database cannot be read: file is not a database' },
    fix: expect.stringMatching(/restore a backup/),
  })
})

onBothEngines('a whole store', (engine) => {
  it('has no damage', async () => {
    const store = await engine.open()
    await saveProbes(store, { probes })
    expect(await damageIn(store)).toBeUndefined()
  })
})

it('a full disk is in the way of a start', async () => {
  const diskOf = (bavail: number) => diskFinding('.', async () => ({ blocks: 10_000_000, bavail, bsize: 4096 }))
  expect(await diskOf(10)).toMatchObject({ state: 'fail', what: 'no room is left' })
  expect(await diskOf(1000)).toMatchObject({ state: 'warn' })
  expect(await diskOf(1_000_000)).toMatchObject({ state: 'ok' })
})
