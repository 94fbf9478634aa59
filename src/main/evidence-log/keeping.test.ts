import { chmodSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, expect, it, vi } from 'vitest'
import { onEachEngine, temporaryFolder } from '../../../test/support/engines.ts'
import { aProbe, NOON_US } from '../../../test/support/samples.ts'
import { sleep } from '../../async/sleep.ts'
import { EvidenceLog } from '../../log/evidence-log.ts'
import { seedIn } from '../../log/key.ts'
import { Sequencer } from '../../log/sequencer.ts'
import { enqueue, OVERSIZED, sequenceOversized } from '../../log/testing/oversized.ts'
import { newSigner } from '../../log/tlog/index.ts'
import { type RunningWitness, runWitness } from '../../log/witness/run-witness.ts'
import { openStore } from '../../store/open.ts'
import { saveProbes } from '../../store/probes/save-probes.ts'
import type { Store } from '../../store/store.ts'
import { backUp, restore } from '../../store/transfer/backup.ts'
import { loadConfig } from '../config.ts'
import { logFinding } from '../doctor/log-findings.ts'
import { createLogKeeping } from './keeping.ts'

const BASE_URL = 'http://tollbook.example'
const SEED = Buffer.alloc(32, 5)

onEachEngine('keeping the log', (engine) => {
  const folders: string[] = []
  const witnesses: RunningWitness[] = []
  const stops: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop()
    for (const witness of witnesses.splice(0)) await witness.close()
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  })

  const newFolder = (): string => {
    const folder = temporaryFolder()
    folders.push(folder)
    return folder
  }

  const startWitness = async (): Promise<string> => {
    const { vkey } = await newSigner(new Uint8Array(SEED), 'tollbook.example/log')
    const witness = await runWitness({
      ...{ name: 'witness.example', folder: join(newFolder(), 'kept'), vkeys: [vkey], host: '127.0.0.1', port: 0 },
      ...{ nowS: () => NOON_US / 1_000_000, onTrouble: () => undefined },
    })
    witnesses.push(witness)
    return `${witness.vkey} http://127.0.0.1:${witness.port}`
  }

  /** A program that keeps the log of a store, with files of its own. */
  const keeping = (store: Store, witness: string, seed = SEED) => {
    const env = { BASE_URL, DATA_DIR: newFolder(), LOG_KEY: seed.toString('base64'), LOG_WITNESSES: witness }
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) })
    const keeper = createLogKeeping({ config: loadConfig(env), store, log, baseUrl: async () => BASE_URL })
    const stopping = new AbortController()
    const kept = keeper.keep(stopping.signal)
    stops.push(async () => {
      stopping.abort()
      await kept
    })
    return { keeper, lines, config: loadConfig(env) }
  }

  const probes = (count: number) =>
    Array.from({ length: count }, (_, n) => aProbe({ atUs: NOON_US + n, host: `h${n}.seller.example` }))

  it('shows checkpoints that its witness has cosigned, each no smaller than the one before, while the log grows', async () => {
    const store = await engine.open()
    const log = await keeping(store, await startWitness()).keeper.open()
    const shown = async () => (await log?.checkpoint())?.note ?? ''
    let written = 0
    const write = () => saveProbes(store, { probes: [aProbe({ atUs: NOON_US + ++written })] })
    await write()
    await vi.waitFor(async () => expect(await shown()).toMatch(/\n1\n[\s\S]*— witness\.example /), 30_000)
    const sizes: number[] = []
    for (const endMs = Date.now() + 5000; Date.now() < endMs; await sleep(20)) {
      await write()
      const note = await shown()
      expect(note).toMatch(/^— witness\.example /m)
      sizes.push(Number(note.split('\n')[1]))
    }
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b))
    expect(new Set(sizes).size).toBeGreaterThan(1)
  })

  it('signs nothing when a witness knows a longer log than the store has, and says so', async () => {
    const witness = await startWitness()
    const whole = await engine.open()
    await saveProbes(whole, { probes: probes(5) })
    const { keeper } = keeping(whole, witness)
    const shown = async () => (await (await keeper.open())?.checkpoint())?.note.split('\n')
    await vi.waitFor(async () => {
      expect(await shown()).toEqual(expect.arrayContaining(['5', expect.stringMatching(/^— witness\.example /)]))
    }, 30_000)
    // A backup, put back on another machine: it has the key, and no file that says what was published.
    const backup = await engine.open()
    await saveProbes(backup, { probes: probes(3) })
    const restored = keeping(backup, witness)
    const log = await restored.keeper.open()
    await vi.waitFor(
      async () =>
        expect(log?.fault).toMatch(/^the store has [03] entries of the log, and witness\.example has seen 5$/),
      30_000,
    )
    expect(await log?.checkpoint()).toBeNull()
    expect(await log?.mayGrow()).toBe(false)
    await vi.waitFor(() => expect(restored.lines.join()).toContain('the evidence log is not signed any more'), 10_000)
  })

  it('shows what it kept last while nothing can be written, says so, and goes on by itself', async () => {
    const store = await engine.open()
    const { keeper, config, lines } = keeping(store, '')
    const log = await keeper.open()
    await saveProbes(store, { probes: [aProbe()] })
    await vi.waitFor(async () => expect((await log?.checkpoint())?.size).toBe(1), 30_000)
    const kept = await log?.checkpoint()
    expect(keeper.unpublished()).toBeNull()
    // Nothing can be written under this name.
    const file = join(config.dataDir, 'log.checkpoint')
    rmSync(file)
    mkdirSync(file)
    await saveProbes(store, { probes: [aProbe({ atUs: NOON_US + 1 })] })
    await vi.waitFor(() => expect(keeper.unpublished()).toBe('log.checkpoint cannot be written (EISDIR)'), 30_000)
    expect(await log?.checkpoint()).toEqual(kept)
    expect(await log?.proof(0)).toContain(kept?.note)
    expect(await log?.status()).toMatchObject({ size: 1, fault: null })
    await expect(log?.mayGrow()).rejects.toThrow('EISDIR')
    rmdirSync(file)
    await vi.waitFor(async () => expect((await log?.checkpoint())?.size).toBe(2), 30_000)
    expect(keeper.unpublished()).toBeNull()
    expect(readdirSync(config.dataDir)).toEqual(['log.checkpoint'])
    await vi.waitFor(() => expect(lines.join()).toContain('the newest checkpoint is not published'), 10_000)
  })

  it('signs no second log with the key of the one that a restored backup lacks, whatever files are there', async () => {
    const first = await engine.open()
    await saveProbes(first, { probes: probes(3) })
    const { keeper } = keeping(first, '')
    const shown = async () => (await (await keeper.open())?.checkpoint())?.note
    await vi.waitFor(async () => expect(await shown()).toMatch(/\n3\n/), 30_000)
    const file = join(newFolder(), 'backup')
    const { form } = await backUp(first, file)
    const options = await engine.empty()
    await restore(await openStore(options), file)
    const restored = await openStore(options)
    try {
      const log = await keeping(restored, '').keeper.open()
      // The file of SQLite holds the log.
      if (form === 'SQLite file') return expect((await log?.checkpoint())?.note).toBe(await shown())
      expect(await log?.checkpoint()).toBeNull()
      expect(log?.fault).toMatch(/its key has signed another log, of 3 entries and more: set a new LOG_KEY$/)
      const begun = await keeping(restored, '', Buffer.alloc(32, 6)).keeper.open()
      await vi.waitFor(async () => expect((await begun?.checkpoint())?.size).toBeGreaterThan(0), 30_000)
      // Nor does a backup of a backup forget it, or who signs now.
      const next = join(newFolder(), 'backup')
      await backUp(restored, next)
      const seal = readFileSync(next, 'utf8').trimEnd().split('\n').at(-1) ?? ''
      expect(
        JSON.parse(seal)
          .log.map(({ vkey }: { vkey: string }) => vkey)
          .toSorted(),
      ).toEqual([log?.vkey, begun?.vkey].toSorted())
    } finally {
      for (const stop of stops.splice(0)) await stop()
      await restored.close()
    }
  })
})

it('the doctor says nothing of a key in a folder that it may not look into', async () => {
  const folder = temporaryFolder()
  chmodSync(folder, 0o000)
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(65_534)
  try {
    expect(await logFinding(loadConfig({ BASE_URL, DATA_DIR: folder }))).toEqual({
      state: 'warn',
      what: expect.stringContaining('the evidence log cannot be looked at: EACCES'),
      fix: 'see to the database first',
    })
  } finally {
    if (isRoot) process.seteuid?.(0)
    chmodSync(folder, 0o700)
  }
})

it('the doctor says what the log lacks', async () => {
  const folder = temporaryFolder()
  try {
    const look = (more: Record<string, string> = {}) => logFinding(loadConfig({ BASE_URL, DATA_DIR: folder, ...more }))
    expect(await look()).toMatchObject({ state: 'ok', what: expect.stringContaining('the first start makes it') })
    expect(await look({ DATABASE_URL: 'postgres://127.0.0.1:1/none' })).toMatchObject({
      ...{ state: 'warn', what: 'the evidence log is not signed: LOG_KEY is not set' },
    })
    const store = await openStore({ dataDir: folder, databaseUrl: undefined })
    await saveProbes(store, { probes: [aProbe(), aProbe({ host: 'h1.seller.example' })] })
    const options = { store, by: 'test', nowUs: () => NOON_US, mayGrow: async () => true, onTrouble: () => undefined }
    await new Sequencer(options).step()
    const opened = { store, seed: seedIn(folder), origin: 'tollbook.example/log', folder }
    await (await EvidenceLog.open(opened))?.checkpoint()
    expect(await look()).toMatchObject({ state: 'warn', what: 'signed as tollbook.example/log, and nobody watches it' })
    const key = join(folder, 'log.key')
    chmodSync(key, 0o644)
    expect(await look()).toEqual({
      state: 'warn',
      what: `${key} is open to others (mode 644)`,
      fix: 'take it from them: chmod 600',
    })
    expect(statSync(key).mode & 0o777).toBe(0o644)
    const seed = readFileSync(key)
    for (const junk of ['junk\n', '']) {
      writeFileSync(key, junk)
      expect(await look()).toEqual({
        state: 'fail',
        what: `${key} holds no key`,
        fix: expect.stringMatching(/^put the key/),
      })
    }
    writeFileSync(key, seed)
    chmodSync(key, 0o600)
    await enqueue(store, OVERSIZED)
    expect(await look()).toMatchObject({ state: 'warn' })
    await sequenceOversized(store, NOON_US + 20_000_000)
    expect(await look()).toEqual({
      state: 'fail',
      what: 'entry 2 of the evidence log has 65536 bytes, and no bundle holds more than 65535: the log cannot be verified',
      fix: 'begin a new log: docs/log.md',
    })
    await store.write((writer) => sql`update log_state set size = 1`.execute(writer))
    await store.close()
    expect(await look()).toMatchObject({
      state: 'fail',
      what: expect.stringMatching(/not signed any more: the store has 1 entries .* checkpoint of 2 was published$/),
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
