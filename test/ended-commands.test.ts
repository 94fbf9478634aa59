import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { saveListings } from '../src/store/facts/save-listings.ts'
import { openStore } from '../src/store/open.ts'
import { saveProbes } from '../src/store/probes/save-probes.ts'
import { temporaryFolder } from './support/engines.ts'
import { cleanEnvironment, ROOT, tollbook } from './support/program.ts'
import { aListing, aProbe, NOON_US } from './support/samples.ts'

/** So many that none of it is done in an instant. */
const HOSTS = 3000
const ENTRIES = 4
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

const folder = temporaryFolder()
const dataDir = join(folder, 'data')
const backup = join(folder, 'backup')

beforeAll(async () => {
  const store = await openStore({ dataDir, databaseUrl: undefined })
  const hosts = Array.from({ length: HOSTS }, (_, n) => `h${n}.seller.example`)
  await saveListings(store, { listings: hosts.map((host) => aListing({ host })) })
  for (let entry = 0; entry < ENTRIES; entry += 1)
    await saveProbes(store, { probes: hosts.map((host) => aProbe({ host, atUs: NOON_US + entry })) })
  await store.close()
  expect(await tollbook(['backup', backup], { DATA_DIR: dataDir })).toMatchObject({ code: 0 })
})

/** Sends a signal as soon as something of this name is in a folder; answers what ended the program. */
async function endWhen(child: ChildProcess, place: string, isAside: RegExp, signal: NodeJS.Signals): Promise<unknown> {
  const end = once(child, 'exit')
  const isThere = () => existsSync(place) && readdirSync(place).some((name) => isAside.test(name))
  while (!isThere() && child.exitCode === null) await pause(1)
  child.kill(signal)
  const [code, endedBy] = await end
  return endedBy ?? code
}

describe.each(SIGNALS)('a command that %s ends leaves nothing beside what it was to write', (signal) => {
  const begin = (words: readonly string[], env: Record<string, string>, input: 'pipe' | 'ignore' = 'ignore') =>
    spawn(process.execPath, [join(ROOT, 'bin/tollbook.js'), ...words], {
      ...{ stdio: [input, 'ignore', 'ignore'], env: cleanEnvironment({ DATA_DIR: dataDir, ...env }) },
    })
  const place = (): string => {
    const made = join(temporaryFolder(), 'place')
    mkdirSync(made)
    return made
  }

  it('import', async () => {
    const there = place()
    const child = begin(['import', '-'], { TMPDIR: there }, 'pipe')
    child.stdin?.write('{"kind":')
    expect(await endWhen(child, there, /^tollbook-import-/, signal)).toBe(signal)
    expect(readdirSync(there)).toEqual([])
  })

  it('backup', async () => {
    const there = place()
    const child = begin(['backup', join(there, 'copy')], {})
    expect(await endWhen(child, there, /^\.tollbook-backup-/, signal)).toBe(signal)
    expect(readdirSync(there)).toEqual([])
  })

  it('export', async () => {
    const there = place()
    const child = begin(['export', join(there, 'records')], {})
    expect(await endWhen(child, there, /partial$/, signal)).toBe(signal)
    expect(readdirSync(there)).toEqual([])
  })

  it('restore', async () => {
    const there = place()
    const child = begin(['restore', backup], { DATA_DIR: there })
    expect(await endWhen(child, there, /^\.tollbook-restore-/, signal)).toBe(signal)
    expect(readdirSync(there).filter((name) => name.startsWith('.'))).toEqual([])
  })
})
