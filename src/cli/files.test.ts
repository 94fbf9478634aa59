import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../test/support/engines.ts'
import { tollbook } from '../../test/support/program.ts'
import { connect } from '../store/engines/sqlite-connection.mjs'
import { HOLD_FILE, SQLITE_FILE } from '../store/engines/sqlite-file.ts'
import { lookAtStore, openAlone, openStore } from '../store/open.ts'
import { backupCommand, restoreCommand } from './backup.ts'
import { exportCommand } from './export.ts'
import { importCommand } from './import.ts'
import { fileProblem } from './terminal/file-problem.ts'
import { commandContext } from './testing/command-context.ts'

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const LISTING = {
  ...{ kind: 'listing', source: 'mine', method: 'GET', url: 'https://api.example.com/v1/x', rail: 'x402' },
  ...{ price: '0.010000', network: 'base', label: 'directory-observed' },
  ...{ first_observed: '2026-11-14T12:00:00Z', last_observed: '2026-11-14T12:00:00Z' },
}
/** How the head of a file of SQLite says, for who reads and for who writes, that it is written by a log. */
const WITH_A_LOG = 2
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

async function filledStore(): Promise<string> {
  const dataDir = await emptyStore()
  const file = join(folder, 'filling.ndjson')
  writeFileSync(file, `${JSON.stringify(LISTING)}\n`)
  await importCommand.run([file], contextIn(dataDir))
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

  it.each([
    ['backup', backupCommand, 'cannot be written: a part of its path is no folder'],
    ['export', exportCommand, 'cannot be written: a part of its path is no folder'],
    ['import', importCommand, 'there is no file'],
    ['restore', restoreCommand, 'there is no file'],
  ] as const)('below what is a file say so: %s', async (name, { run }, words) => {
    const file = join(folder, `${name}.plain`)
    await writeFile(file, '')
    await expect(run([join(file, 'a.out')], contextIn(await emptyStore()))).rejects.toMatchObject({
      detail: expect.stringContaining(words),
    })
    expect(readdirSync(folder).filter((left) => left.includes('partial'))).toEqual([])
  })

  it('never write over a file of the store, and replace an older export', async () => {
    const dataDir = await emptyStore()
    const context = contextIn(dataDir)
    const linked = join(folder, 'linked')
    symlinkSync(dataDir, linked)
    const before = readFileSync(join(dataDir, SQLITE_FILE))
    const toStore = join(folder, 'to-store')
    symlinkSync(join(dataDir, SQLITE_FILE), toStore)
    await expect(exportCommand.run([toStore], context)).rejects.toMatchObject({ title: 'File' })
    await expect(backupCommand.run([join(dataDir, 'log.key')], context)).rejects.toMatchObject({
      detail: `${join(dataDir, 'log.key')} belongs to the store`,
    })
    for (const name of [
      SQLITE_FILE,
      `${SQLITE_FILE}-wal`,
      `${SQLITE_FILE}-shm`,
      'tollbook.open',
      'log.key',
      'log.checkpoint',
    ]) {
      for (const place of [join(dataDir, name), join(linked, name), join(dataDir, '..', basename(dataDir), name)]) {
        const detail = `${place} belongs to the store`
        await expect(exportCommand.run([place], context)).rejects.toMatchObject({ detail })
      }
    }
    expect(readFileSync(join(dataDir, SQLITE_FILE))).toEqual(before)
    const older = join(dataDir, 'older.ndjson')
    writeFileSync(older, 'older')
    expect(await exportCommand.run([older], context)).toBe(0)
    expect(readFileSync(older, 'utf8')).toBe('')
  })

  it('do not take a folder for a file', async () => {
    const place = join(folder, 'a-folder')
    mkdirSync(place)
    const context = contextIn(await emptyStore())
    await expect(exportCommand.run([place], context)).rejects.toMatchObject({
      detail: `${place} cannot be written: it is a folder`,
    })
    await expect(restoreCommand.run([place], context)).rejects.toMatchObject({ detail: `${place} is a folder` })
    expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([])
  })
})

it.each([
  ['writes to', openStore],
  ['only looks at', lookAtStore],
] as const)('restore puts no file in the place of one that another program %s', async (_how, open) => {
  const file = join(folder, `in-use-${open.name}.backup`)
  await backupCommand.run([file], contextIn(await filledStore()))
  const options = { dataDir: join(folder, `in-use-${open.name}`), databaseUrl: undefined }
  mkdirSync(options.dataDir)
  // As the last program left it that wrote to it: without its log, where SQLite locks nothing for who looks at it.
  const empty = join(folder, `in-use-${open.name}.empty`)
  await backupCommand.run([empty], contextIn(await emptyStore()))
  const left = readFileSync(empty)
  left.fill(WITH_A_LOG, 18, 20)
  writeFileSync(join(options.dataDir, SQLITE_FILE), left)
  writeFileSync(join(options.dataDir, HOLD_FILE), '')
  const store = await open(options)
  const { context } = commandContext({ openStore: (to) => (to === 'alone' ? openAlone : openStore)(options) })
  await expect(restoreCommand.run([file], context)).rejects.toMatchObject({
    detail: `another program has the store in ${options.dataDir} open`,
    hint: 'stop tollbook serve, tollbook mcp and whatever else uses it, then run it again',
  })
  const hosts = await store.read.selectFrom('hosts').selectAll().execute()
  await store.close()
  expect(hosts).toEqual([])
})

it('restore takes a file of a store and nothing else, and makes no store for anything else', async () => {
  const backup = join(folder, 'whole.backup')
  await backupCommand.run([backup], contextIn(await filledStore()))
  const context = contextIn(NOWHERE)
  const pipe = join(folder, 'in-pipe')
  execFileSync('mkfifo', [pipe])
  await expect(restoreCommand.run([pipe], context)).rejects.toMatchObject({
    ...{ detail: `${pipe} is no file but a pipe or a device`, hint: 'write it to a file, and name that' },
  })
  await expect(restoreCommand.run([join(folder, 'nothing')], context)).rejects.toMatchObject({
    detail: `there is no file ${join(folder, 'nothing')}`,
  })
  expect(existsSync(NOWHERE)).toBe(false)
  const other = join(folder, 'other.db')
  const connection = connect(other, { readOnly: false })
  connection.database.exec('create table mine (a)')
  connection.close()
  const dataDir = join(folder, 'other')
  await expect(restoreCommand.run([other], contextIn(dataDir))).rejects.toMatchObject({
    detail: `${other} is a file of SQLite, but no store`,
  })
  expect(await restoreCommand.run([backup], contextIn(dataDir))).toBe(0)
})

it('import reads compressed records from a pipe, and says where nothing can be put aside', async () => {
  const dataDir = await emptyStore()
  const pipe = join(folder, 'packed-pipe')
  execFileSync('mkfifo', [pipe])
  const written = writeFile(pipe, gzipSync(`${JSON.stringify(LISTING)}\n`))
  const { context, said } = commandContext({ openStore: () => openStore({ dataDir, databaseUrl: undefined }) })
  expect(await importCommand.run([pipe], context)).toBe(0)
  await written
  expect(said.out).toBe('Imported 1 record.\n')
  const { code, err } = await tollbook(['import', '-'], { DATA_DIR: dataDir, TMPDIR: NOWHERE })
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/^tollbook: nothing can be put into the temporary folder .*TMPDIR.*\n$/),
  ])
})

describe('an export', () => {
  it('goes through a pipe, which stays one', async () => {
    const context = contextIn(await filledStore())
    const pipe = join(folder, 'out-pipe')
    execFileSync('mkfifo', [pipe])
    const read = readFile(pipe, 'utf8')
    expect(await exportCommand.run([pipe], context)).toBe(0)
    expect(JSON.parse(await read)).toMatchObject({ kind: 'listing', source: 'mine' })
    expect(lstatSync(pipe).isFIFO()).toBe(true)
  })

  it('replaces the file that a link leads to, and not the link', async () => {
    const context = contextIn(await filledStore())
    const [file, link] = [join(folder, 'today.ndjson'), join(folder, 'latest.ndjson')]
    writeFileSync(file, 'older')
    symlinkSync(file, link)
    expect(await exportCommand.run([link], context)).toBe(0)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ kind: 'listing' })
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
  })

  it('shares the name of what is not whole yet with no other', async () => {
    const context = contextIn(await filledStore())
    const file = join(folder, 'shared.ndjson')
    writeFileSync(`${file}.partial`, 'of another one')
    expect(await exportCommand.run([file], context)).toBe(0)
    expect(readFileSync(`${file}.partial`, 'utf8')).toBe('of another one')
    rmSync(`${file}.partial`)
  })
})

describe('import', () => {
  it('reads what can be read once: a pipe, or nothing', async () => {
    const dataDir = await emptyStore()
    const openIt = () => openStore({ dataDir, databaseUrl: undefined })
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const { context, said } = commandContext({ openStore: openIt })
    const written = writeFile(pipe, `${JSON.stringify(LISTING)}\n`)
    expect(await importCommand.run([pipe], context)).toBe(0)
    await written
    expect(await importCommand.run(['/dev/null'], context)).toBe(0)
    expect(said.out).toBe('Imported 1 record.\nImported 0 records.\n')
  })
})

describe('a full disk', () => {
  it('is told by an import with what becomes of its records', async () => {
    const options = { dataDir: await emptyStore(), databaseUrl: undefined }
    const file = join(folder, 'listings.ndjson')
    const lines = Array.from({ length: 5000 }, (_, n) =>
      JSON.stringify({ ...LISTING, url: `https://h${n}.example.com/v1/${'x'.repeat(500)}` }),
    )
    writeFileSync(file, `${lines.join('\n')}\n`)
    const fullStore = async () => {
      const store = await openStore(options)
      await store.write((writer) => sql`pragma max_page_count = 500`.execute(writer))
      return store
    }
    await expect(importCommand.run([file], commandContext({ openStore: fullStore }).context)).rejects.toMatchObject({
      detail: 'no room is left on the disk: database or disk is full',
      hint: 'part of it may be stored: make room, and import it again',
    })
  })

  it.runIf(existsSync('/dev/full'))('is told by an export whose last records no longer fit', async () => {
    await expect(exportCommand.run(['/dev/full'], contextIn(await filledStore()))).rejects.toMatchObject({
      detail: '/dev/full cannot be written: no room is left on that disk',
    })
  })

  it('is told of a backup by the name of its file', () => {
    expect(fileProblem(new Error('database or disk is full'), 'a.copy')).toMatchObject({
      detail: 'a.copy cannot be written: no room is left on that disk',
    })
  })
})
