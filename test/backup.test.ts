import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SQLITE_FILE } from '../src/store/engines/sqlite.ts'
import { saveListings } from '../src/store/facts/save-listings.ts'
import { openStore } from '../src/store/open.ts'
import { temporaryFolder } from './support/engines.ts'
import { cleanEnvironment, ended, listening, ROOT, tollbook } from './support/program.ts'
import { aListing } from './support/samples.ts'

const PAGE = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8')
const SECTION = PAGE.split('## Backup and restore')[1]?.split('\n## ')[0] ?? ''

it('documents the file that the store is in, and no other', () => {
  expect(SECTION).toContain(`\`${SQLITE_FILE}\``)
  expect(PAGE).not.toContain('tollbook.sqlite')
})

it('backs up everything by the documented commands while the directory runs, and restores it', async () => {
  const folder = temporaryFolder()
  const dataDir = join(folder, 'data')
  const store = await openStore({ dataDir, databaseUrl: undefined })
  const hosts = Array.from({ length: 30 }, (_, n) => `h${n}.seller.example`)
  await saveListings(store, { listings: hosts.map((host) => aListing({ host })) })
  await store.close()
  mkdirSync(join(folder, 'bin'))
  symlinkSync(join(ROOT, 'bin/tollbook.js'), join(folder, 'bin/tollbook.js'))
  const env = { DATA_DIR: dataDir, SOURCES: 'none', PORT: '0' }
  const serving = [join(ROOT, 'bin/tollbook.js'), 'serve', '--roles', 'web']
  const running = await listening(spawn(process.execPath, serving, { cwd: folder, env: cleanEnvironment(env) }))
  try {
    const script = /^```sh\n([\s\S]*?)^```$/m.exec(SECTION)?.[1] ?? 'exit 1'
    const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env: cleanEnvironment(env) })
    const { code, out } = await ended(shell)
    expect([code, out]).toEqual([
      0,
      [
        'Backed up 30 hosts to tollbook.backup, a SQLite file, and verified it.',
        'Restored 30 hosts from tollbook.backup and verified them.',
        'Verified 30 hosts, 0 differences.',
        '',
      ].join('\n'),
    ])
  } finally {
    await running.stop()
  }
  const exported = async (from: string) => (await tollbook(['export'], { ...env, DATA_DIR: from })).out
  expect(await exported(join(folder, 'restored'))).toBe(await exported(dataDir))
})

it('counts one host as one', async () => {
  const folder = temporaryFolder()
  const dataDir = join(folder, 'data')
  const store = await openStore({ dataDir, databaseUrl: undefined })
  await saveListings(store, { listings: [aListing()] })
  await store.close()
  const [file, there] = [join(folder, 'one.backup'), { DATA_DIR: join(folder, 'there') }]
  expect((await tollbook(['backup', file], { DATA_DIR: dataDir })).out).toMatch(/^Backed up 1 host to /)
  expect((await tollbook(['restore', file], there)).out).toMatch(/^Restored 1 host from .* and verified it\.\n$/)
  expect((await tollbook(['verify'], there)).out).toBe('Verified 1 host, 0 differences.\n')
})

it('refuses in one line what it cannot do', async () => {
  const folder = temporaryFolder()
  const env = { DATA_DIR: join(folder, 'data') }
  const there = join(folder, 'there')
  writeFileSync(there, 'mine')
  expect((await tollbook(['backup', there], env)).err).toMatch(/^tollbook: .* is there already \(name another file/)
  expect(readFileSync(there, 'utf8')).toBe('mine')
  expect((await tollbook(['restore', join(folder, 'nothing')], env)).err).toMatch(/^tollbook: there is no file /)
})
