import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/support/engines.ts'
import { cleanEnvironment, ROOT, tollbook } from '../../../../test/support/program.ts'
import { lookAtStore, openAlone, openStore } from '../../open.ts'
import { HOLD_FILE } from '../sqlite-file.ts'
import { holdAlone } from './hold.ts'

/** Made by another program: SQLite keeps open what this one has once read, until its statements are collected. */
async function emptyStore(): Promise<{ dataDir: string; databaseUrl: undefined }> {
  const options = { dataDir: join(temporaryFolder(), 'data'), databaseUrl: undefined }
  expect(await tollbook(['migrate'], { DATA_DIR: options.dataDir })).toMatchObject({ code: 0 })
  return options
}

const isAlone = (dataDir: string): boolean => {
  try {
    holdAlone(dataDir).release()
    return true
  } catch {
    return false
  }
}

it('A store that is restored is opened by nobody meanwhile, and by everybody afterwards.', async () => {
  const options = await emptyStore()
  const alone = await openAlone(options)
  const refusal = {
    detail: `tollbook restore has the store in ${options.dataDir} for itself`,
    hint: 'wait until it has ended',
  }
  for (const open of [openStore, lookAtStore]) await expect(open(options)).rejects.toMatchObject(refusal)
  await alone.close()
  for (const open of [openStore, lookAtStore]) await (await open(options)).close()
  expect(statSync(join(options.dataDir, HOLD_FILE))).toMatchObject({ size: 0 })
  expect(statSync(join(options.dataDir, HOLD_FILE)).mode & 0o777).toBe(0o600)
})

it('Any number of programs have a store open at once, and the last that closes it leaves it.', async () => {
  const options = await emptyStore()
  const open = await Promise.all([openStore(options), openStore(options), lookAtStore(options)])
  for (const store of open) {
    expect(isAlone(options.dataDir)).toBe(false)
    await store.close()
  }
  expect(isAlone(options.dataDir)).toBe(true)
})

it('A program that is killed while it looks at a store leaves nothing that says so.', async () => {
  const { dataDir } = await emptyStore()
  // Everything is in the file itself, and SQLite locks nothing to read it.
  for (const beside of ['wal', 'shm']) rmSync(join(dataDir, `tollbook.db-${beside}`), { force: true })
  const pipe = join(temporaryFolder(), 'pipe')
  execFileSync('mkfifo', [pipe])
  // Nobody reads it, so that it waits with the store open.
  const child = spawn(process.execPath, [join(ROOT, 'bin/tollbook.js'), 'export', pipe], {
    ...{ stdio: 'ignore', env: cleanEnvironment({ DATA_DIR: dataDir }) },
  })
  const end = once(child, 'exit')
  while (isAlone(dataDir)) {
    expect(child.exitCode).toBe(null)
    await pause(10)
  }
  expect(existsSync(join(dataDir, 'tollbook.db-wal'))).toBe(false)
  child.kill('SIGKILL')
  await end
  expect(isAlone(dataDir)).toBe(true)
})

it('Who looks at a store that nobody has opened since it was brought there makes no file.', async () => {
  const { dataDir } = await emptyStore()
  const brought = temporaryFolder()
  execFileSync('cp', [join(dataDir, 'tollbook.db'), brought])
  await (await lookAtStore({ dataDir: brought, databaseUrl: undefined })).close()
  expect(existsSync(join(brought, HOLD_FILE))).toBe(false)
})
