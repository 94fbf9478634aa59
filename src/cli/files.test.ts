import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../test/support/engines.ts'
import { lookAtStore, openStore } from '../store/open.ts'
import { backupCommand, restoreCommand } from './backup.ts'
import { exportCommand } from './export.ts'
import { commandContext } from './testing/command-context.ts'

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const NOWHERE = join(folder, 'nowhere')

function contextIn(dataDir: string) {
  const options = { dataDir, databaseUrl: undefined }
  return commandContext({ openStore: (to) => (to === 'look' ? lookAtStore(options) : openStore(options)) }).context
}

async function emptyStore(): Promise<string> {
  const dataDir = join(folder, `store-${readdirSync(folder).length}`)
  await (await openStore({ dataDir, databaseUrl: undefined })).close()
  return dataDir
}

describe('backup and export', () => {
  it.each([
    ['backup', backupCommand],
    ['export', exportCommand],
  ] as const)('of a store that is not there say so and make none: %s', async (name, { run }) => {
    const file = join(folder, `${name}.out`)
    await expect(run([file], contextIn(NOWHERE))).rejects.toMatchObject({
      detail: `there is no store in ${NOWHERE}`,
      hint: expect.stringContaining('DATA_DIR'),
    })
    expect([existsSync(NOWHERE), existsSync(file)]).toEqual([false, false])
  })

  it.each([
    ['backup', backupCommand],
    ['export', exportCommand],
  ] as const)('to a folder that is not there say so: %s', async (_name, { run }) => {
    const file = join(folder, 'no-folder', 'a.out')
    await expect(run([file], contextIn(await emptyStore()))).rejects.toMatchObject({
      detail: `${file} cannot be written: there is no such folder`,
      hint: expect.stringContaining('name a file'),
    })
  })

  it('do not take a folder for a file', async () => {
    const place = join(folder, 'a-folder')
    mkdirSync(place)
    const context = contextIn(await emptyStore())
    await expect(exportCommand.run([place], context)).rejects.toMatchObject({
      detail: `${place} cannot be written: it is a folder`,
    })
    await expect(restoreCommand.run([place], context)).rejects.toMatchObject({ detail: `${place} is a folder` })
    expect(existsSync(`${place}.partial`)).toBe(false)
  })
})
