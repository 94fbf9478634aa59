import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { archiveOld } from '../../src/archive/archive-old.ts'
import { folderPlace } from '../../src/archive/folder-place.ts'
import { readManifest } from '../../src/archive/manifest.ts'
import type { ArchivePlace } from '../../src/archive/place.ts'
import { archivedFilesIn } from '../../src/archive/read-archive.ts'
import { s3Place } from '../../src/archive/s3-place.ts'
import { importCommand } from '../../src/cli/import.ts'
import { commandContext } from '../../src/cli/testing/command-context.ts'
import { archiveFinding } from '../../src/main/doctor/archive-findings.ts'
import { openStore, type StoreOptions } from '../../src/store/open.ts'
import { oldestKeptUs, retain } from '../../src/store/probes/retention.ts'
import { saveProbes } from '../../src/store/probes/save-probes.ts'
import type { Store } from '../../src/store/store.ts'
import { exportRecords } from '../../src/store/transfer/export.ts'
import { importFile } from '../../src/store/transfer/import.ts'
import { saveEvidence } from '../../src/store/transfer/save-evidence.ts'
import { verifyStore } from '../../src/store/transfer/verify.ts'
import { directoryOf } from '../support/directory.ts'
import { onEachEngine, temporaryFolder } from '../support/engines.ts'
import { cleanEnvironment, ended, ROOT, tollbook } from '../support/program.ts'
import { aChallenge, aListing, aProbe, evidence } from '../support/samples.ts'
import { KEY, smallS3 } from './small-s3.ts'

const NOW_US = Date.UTC(2026, 10, 14, 12) * 1000
const DAY_US = 86_400_000_000
const DAYS = 400
const BEFORE_US = oldestKeptUs(NOW_US, DAYS)
const HOSTS = ['a.example', 'b.example']
const OLD_MONTHS = ['2025-08', '2025-09']

/** Entries of two hosts, `each` a day since the first of August 2025, 400 days before which is October. */
const history = (each = 1) =>
  HOSTS.flatMap((host, h) =>
    Array.from({ length: 470 * each }, (_, n) =>
      aProbe({
        ...{ host, path: `/${n % 3}`, atUs: Date.UTC(2025, 7, 1) * 1000 + Math.floor((n * DAY_US) / each) + h },
        ...{ httpStatus: [402, 200, 404, null][n % 4] ?? null, latencyMs: 20 + ((n * 37) % 900) },
        challenge: n % 4 === 0 ? aChallenge(10_000 + (n % 7)) : null,
      }),
    ),
  )

const linesIn = async (store: Store): Promise<string[]> => {
  const lines: string[] = []
  await exportRecords(store, async (records) => {
    for (const record of records) lines.push(JSON.stringify(record))
  })
  return lines
}
const differencesIn = async (store: Store): Promise<string[]> => {
  const found: string[] = []
  await verifyStore(store, (difference) => found.push(JSON.stringify(difference)))
  return found
}
const viewsOf = (store: Store) =>
  Promise.all(
    HOSTS.map(async (host) => {
      const { counters, results, latency } =
        (await directoryOf(store).hostView(host, { limit: 50, cursor: null })) ?? {}
      return { counters, results, latency }
    }),
  )
const isOld = (line: string): boolean => /"date":"2025-0[89]-/.test(line)
const linesOfFiles = (paths: readonly string[]): string[] =>
  paths.flatMap((path) => gunzipSync(readFileSync(path)).toString('utf8').trimEnd().split('\n'))

onEachEngine('old months', (engine) => {
  let folder: string
  let options: StoreOptions

  beforeEach(async () => {
    folder = temporaryFolder()
    options = await engine.empty()
  })

  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const filled = async (each = 1): Promise<Store> => {
    const store = await openStore(options)
    const listings = HOSTS.flatMap((host) => ['/0', '/1', '/2'].map((path) => aListing({ host, path })))
    await saveEvidence(store, evidence({ listings, probes: history(each) }))
    return store
  }
  const archiving = { beforeUs: BEFORE_US, nowUs: NOW_US }

  it('are neither written nor removed while the manifest does not name what was archived before', async () => {
    const store = await filled()
    const [place, early] = [folderPlace(folder), oldestKeptUs(NOW_US, DAYS + 31)]
    expect(await archiveOld(store, place, { ...archiving, beforeUs: early })).toHaveLength(1)
    const manifest = readFileSync(`${folder}/manifest.json`)
    const look = () => archiveFinding({ kind: 'folder', folder }, options)
    expect(await look()).toMatchObject({ state: 'ok' })
    rmSync(`${folder}/manifest.json`)
    const [detail, hint] = [expect.stringMatching(/before: 2025-08; nothing/), expect.stringContaining('--new-place')]
    await expect(archiveOld(store, place, archiving)).rejects.toMatchObject({ detail, hint })
    // Also where there is nothing to write, since what is archived would be removed.
    await expect(archiveOld(store, place, { ...archiving, beforeUs: early })).rejects.toMatchObject({ detail })
    expect(readdirSync(folder)).toEqual(['probes-2025-08.ndjson.gz'])
    expect(await look()).toMatchObject({ state: 'fail', what: detail, fix: hint })
    writeFileSync(`${folder}/manifest.json`, manifest)
    expect((await archiveOld(store, place, archiving)).map(({ month }) => month)).toEqual(['2025-09'])
    // In a place of its own the months that are still in the store are written once more.
    const other = folderPlace(`${folder}/other`)
    await expect(archiveOld(store, other, archiving)).rejects.toMatchObject({ hint })
    expect(await archiveOld(store, other, { ...archiving, isNewPlace: true })).toHaveLength(2)
    expect(await archiveOld(store, other, archiving)).toEqual([])
    // Where none of them is in the store any more, the other place is the one to go on with.
    await retain(store, NOW_US, DAYS, 'archived')
    const third = { kind: 'folder', folder: `${folder}/third` } as const
    expect(await archiveFinding(third, options)).toMatchObject({ state: 'fail', fix: hint })
    expect(await archiveOld(store, folderPlace(third.folder), { ...archiving, isNewPlace: true })).toEqual([])
    expect(await archiveFinding(third, options)).toMatchObject({ state: 'ok' })
    await store.close()
  })

  it('are told by an import of a folder when its manifest does not name them', async () => {
    const store = await filled()
    await archiveOld(store, folderPlace(folder), archiving)
    await store.close()
    writeFileSync(`${folder}/probes-2025-07.ndjson.gz`, '')
    const { context, said } = commandContext({ openStore: async () => openStore(await engine.empty()) })
    expect(await importCommand.run([folder], context)).toBe(0)
    expect(said.out).toMatch(/\.\nprobes-2025-07\.ndjson\.gz is not in the manifest and was not imported\.\n$/)
  })

  it('leave as the very records of an export, and come back into another store with equal views', async () => {
    const store = await filled()
    const before = await viewsOf(store)
    const lines = (await linesIn(store)).filter((line) => line.startsWith('{"kind":"probe"'))
    const place = folderPlace(folder)
    const files = await archiveOld(store, place, archiving)
    expect(files.map(({ month, file }) => [month, file])).toEqual(
      OLD_MONTHS.map((month) => [month, `probes-${month}.ndjson.gz`]),
    )
    const paths = await archivedFilesIn(folder)
    expect(linesOfFiles(paths).toSorted()).toEqual(lines.filter(isOld).toSorted())
    expect(await retain(store, NOW_US, DAYS, 'archived')).toMatchObject({ entries: lines.filter(isOld).length })
    expect(await viewsOf(store)).toEqual(before)
    expect(await differencesIn(store)).toEqual([])
    expect((await linesIn(store)).some(isOld)).toBe(false)
    expect(await archiveOld(store, place, archiving)).toEqual([])
    const rest = `${folder}/rest.ndjson`
    writeFileSync(rest, `${(await linesIn(store)).join('\n')}\n`)
    await store.close()

    const other = await openStore(await engine.empty())
    for (const path of [...paths, rest]) await importFile(other, path, [])
    expect(await viewsOf(other)).toEqual(before)
    expect((await linesIn(other)).filter((line) => line.startsWith('{"kind":"probe"'))).toEqual(lines)
    expect(await differencesIn(other)).toEqual([])
    await other.close()
  })

  it('stay where they are until their file is kept and named, whatever fails on the way', async () => {
    const store = await filled()
    const lines = (await linesIn(store)).filter(isOld)
    const place = folderPlace(folder)
    let left = 0
    const failing: ArchivePlace = {
      ...place,
      keep: async (...file) => {
        if (left-- <= 0) throw new Error('the disk is gone')
        await place.keep(...file)
      },
    }
    for (const steps of [0, 1, 2]) {
      left = steps
      await expect(archiveOld(store, failing, archiving)).rejects.toThrow('the disk is gone')
      expect(await retain(store, NOW_US, DAYS, 'archived')).toMatchObject({ entries: 0 })
      expect((await linesIn(store)).filter(isOld)).toEqual(lines)
    }
    await archiveOld(store, place, archiving)
    expect(await retain(store, NOW_US, DAYS, 'archived')).toMatchObject({ entries: lines.length })
    expect(linesOfFiles(await archivedFilesIn(folder)).toSorted()).toEqual(lines.toSorted())
    await store.close()
  })

  it('stay when something was added since they were written, and go when that is written too', async () => {
    const store = await filled()
    const place = folderPlace(folder)
    await archiveOld(store, place, archiving)
    const late = aProbe({ host: 'a.example', path: '/0', atUs: Date.UTC(2025, 8, 15, 7) * 1000, latencyMs: 77 })
    await saveProbes(store, { probes: [late] })
    const lines = (await linesIn(store)).filter((line) => line.includes('"date":"2025-09-'))
    await retain(store, NOW_US, DAYS, 'archived')
    expect((await linesIn(store)).filter((line) => line.includes('"date":"2025-09-'))).toEqual(lines)
    expect((await archiveOld(store, place, archiving)).map(({ month }) => month)).toEqual(['2025-09'])
    await retain(store, NOW_US, DAYS, 'archived')
    expect((await linesIn(store)).some(isOld)).toBe(false)
    expect(new Set(linesOfFiles(await archivedFilesIn(folder)))).toEqual(
      new Set([...lines, ...linesOfFiles([`${folder}/probes-2025-08.ndjson.gz`])]),
    )
    expect(await differencesIn(store)).toEqual([])
    await store.close()
  })

  it.runIf(process.platform === 'linux')('leave no file open when writing them is cut short', async () => {
    const store = await filled()
    const open = (): string[] =>
      readdirSync('/proc/self/fd').flatMap((fd) => {
        const file = statSync(`/proc/self/fd/${fd}`, { throwIfNoEntry: false })
        return file?.isFile() && file.nlink === 0 ? [readlinkSync(`/proc/self/fd/${fd}`)] : []
      })
    const cut = new Error('cut short')
    const onProgress = (): void => {
      throw cut
    }
    await expect(archiveOld(store, folderPlace(folder), { ...archiving, onProgress })).rejects.toBe(cut)
    await expect.poll(() => open().filter((path) => path.includes('tollbook-archive-'))).toEqual([])
    await store.close()
  })

  it('are written by one program at a time, so that neither leaves out what the other names', async () => {
    const store = await filled()
    const place = folderPlace(folder)
    const late = aProbe({ host: 'a.example', path: '/0', atUs: Date.UTC(2025, 8, 15, 7) * 1000, latencyMs: 77 })
    const refused: unknown[] = []
    const slow: ArchivePlace = {
      ...place,
      keep: async (...file) => {
        await saveProbes(store, { probes: [late] })
        refused.push(await archiveOld(store, place, archiving).catch(({ detail }) => detail))
        await place.keep(...file)
      },
    }
    await archiveOld(store, slow, archiving)
    expect(new Set(refused)).toEqual(new Set(['another program archives this store at the moment']))
    await retain(store, NOW_US, DAYS, 'archived')
    const left = (await linesIn(store)).filter(isOld)
    expect(left.length).toBeGreaterThan(0)
    await archiveOld(store, place, archiving)
    const kept = linesOfFiles(await archivedFilesIn(folder))
    expect(left.filter((line) => !kept.includes(line))).toEqual([])
    await store.close()
  })

  it('are not held up by a program that was killed, and by one elsewhere for its minute', async () => {
    const store = await filled()
    const untilUs = (Date.now() + 60_000) * 1000
    const lease = (held_by: string, until_us: number) =>
      store.write((writer) =>
        writer
          .insertInto('leases')
          .values({ name: 'archive', held_by, until_us })
          .execute()
          .then(() => undefined),
      )
    await lease('elsewhere.example 1 x', untilUs)
    await expect(archiveOld(store, folderPlace(folder), archiving)).rejects.toMatchObject({ status: 409 })
    // As one whose clock was an hour ahead has left it.
    await store.write((writer) =>
      writer
        .updateTable('leases')
        .set({ until_us: untilUs + 3_600_000_000 })
        .execute(),
    )
    expect(await archiveOld(store, folderPlace(folder), archiving)).toHaveLength(2)
    await lease('elsewhere.example 1 x', 1)
    await saveProbes(store, { probes: [aProbe({ atUs: Date.UTC(2025, 8, 15, 6) * 1000 })] })
    expect(await archiveOld(store, folderPlace(folder), archiving)).toHaveLength(1)
    const child = spawn(process.execPath, ['-e', ''])
    await ended(child)
    await lease(`${hostname()}:${child.pid}:x`, untilUs)
    await saveProbes(store, { probes: [aProbe({ atUs: Date.UTC(2025, 8, 15, 7) * 1000 })] })
    expect(await archiveOld(store, folderPlace(folder), archiving)).toHaveLength(1)
    await store.close()
  })

  it('are left as they are, and nothing beside them, by a program that is ended while its bucket hangs', async () => {
    await (await filled()).close()
    let isAsked = (): void => undefined
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve
    })
    const hanging = createServer(() => isAsked())
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve))
    const at = hanging.address()
    const keep = `${Math.floor((Date.now() * 1000 - BEFORE_US) / DAY_US) - 1}d`
    const env = {
      ...{ DATA_DIR: options.dataDir, DATABASE_URL: options.databaseUrl, TMPDIR: folder, KEEP_ENTRIES: keep },
      ...{ ARCHIVE_TO: 's3://evidence', ARCHIVE_S3_KEY_ID: KEY.keyId, ARCHIVE_S3_SECRET: KEY.secret },
      ARCHIVE_S3_ENDPOINT: `http://127.0.0.1:${typeof at === 'object' ? at?.port : 0}`,
    }
    try {
      const program = [resolve(ROOT, 'bin/tollbook.js'), 'archive']
      const child = spawn(process.execPath, program, { env: cleanEnvironment(env) })
      const end = ended(child)
      await Promise.race([asked, end])
      expect(readdirSync(folder)).toHaveLength(1)
      child.kill('SIGTERM')
      expect(await end).toMatchObject({ code: 1, err: expect.stringContaining('ended by SIGTERM') })
      expect(readdirSync(folder)).toEqual([])
    } finally {
      hanging.closeAllConnections()
      hanging.close()
    }
    const store = await openStore(options)
    expect((await linesIn(store)).filter(isOld).length).toBeGreaterThan(0)
    await store.close()
  })

  it('go to a bucket, and stay when the service refuses, forgets or mixes them up', async () => {
    const store = await filled()
    const lines = (await linesIn(store)).filter(isOld)
    const s3 = await smallS3()
    const bucket = { bucket: 'evidence', prefix: 'old months', ...KEY }
    const place = s3Place({ ...bucket, endpoint: s3.endpoint, pauseMs: 1 })
    try {
      const stranger = s3Place({ ...bucket, endpoint: s3.endpoint, secret: 'guessed' })
      await expect(archiveOld(store, stranger, archiving)).rejects.toThrow('HTTP 403 SignatureDoesNotMatch')
      for (const [fault, words] of [
        ['refuses', 'HTTP 403 AccessDenied'],
        ['is busy', 'HTTP 503 SlowDown'],
        ['has no such bucket', 'HTTP 404 NoSuchBucket'],
        ['forgets', 'HTTP 404'],
        ['mixes up', 'keeps another probes-2025-08.ndjson.gz than it was sent'],
      ] as const) {
        s3.fault = fault
        await expect(archiveOld(store, place, archiving)).rejects.toThrow(words)
        expect(await retain(store, NOW_US, DAYS, 'archived')).toMatchObject({ entries: 0 })
      }
      s3.objects.clear()
      s3.fault = 'lists nothing'
      await expect(readManifest(place)).rejects.toMatchObject({ hint: expect.stringContaining('ListBucket') })
      s3.fault = 'is often busy'
      expect(await archiveOld(store, place, archiving)).toHaveLength(2)
      s3.fault = 'none'
      expect(await retain(store, NOW_US, DAYS, 'archived')).toMatchObject({ entries: lines.length })
      expect((await readManifest(place)).map(({ file }) => file)).toEqual(
        OLD_MONTHS.map((month) => `probes-${month}.ndjson.gz`),
      )
      for (const [key, { body }] of s3.objects) {
        mkdirSync(folder, { recursive: true })
        writeFileSync(`${folder}/${key.replace('/evidence/old months/', '')}`, body)
      }
      expect(linesOfFiles(await archivedFilesIn(folder)).toSorted()).toEqual(lines.toSorted())
    } finally {
      await s3.stop()
      await store.close()
    }
  })

  it('are neither lost nor written twice when the command is killed again and again', async () => {
    const store = await filled(5)
    const lines = (await linesIn(store)).filter(isOld).toSorted()
    const before = await viewsOf(store)
    await store.close()
    const keep = `${Math.floor((Date.now() * 1000 - BEFORE_US) / DAY_US) - 1}d`
    const env = { DATA_DIR: options.dataDir, DATABASE_URL: options.databaseUrl, ARCHIVE_TO: folder, KEEP_ENTRIES: keep }
    const dry = await tollbook(['archive', '--dry-run'], env)
    expect(dry.out).toMatch(/^2025-08 .+ entries\n2025-09 .+ entries\n2 months would be written to /)
    for (const seen of ['probes-2025-08', 'probes-2025-08.ndjson.gz', 'manifest.json']) {
      const child = spawn(process.execPath, [resolve(ROOT, 'bin/tollbook.js'), 'archive'], {
        env: cleanEnvironment(env),
      })
      const end = ended(child)
      const isThere = () => readdirSync(folder).some((name) => name.startsWith(seen))
      while (child.exitCode === null && !isThere()) await wait(2)
      child.kill('SIGKILL')
      await end
    }
    const last = await tollbook(['archive'], env)
    expect([last.code, last.err]).toEqual([0, ''])
    expect(linesOfFiles(await archivedFilesIn(folder)).toSorted()).toEqual(lines)
    const after = await openStore(options)
    expect((await linesIn(after)).some(isOld)).toBe(false)
    expect(await viewsOf(after)).toEqual(before)
    expect(await differencesIn(after)).toEqual([])
    await after.close()
    const other = await engine.empty()
    const there = { DATA_DIR: other.dataDir, DATABASE_URL: other.databaseUrl }
    for (const name of readdirSync(folder)) if (name.includes('.partial')) rmSync(`${folder}/${name}`)
    expect((await tollbook(['import', folder], there)).out).toBe(`Imported ${lines.length} records.\n`)
    const [file = ''] = await archivedFilesIn(folder)
    writeFileSync(file, readFileSync(file).subarray(0, 1000))
    const damaged = await tollbook(['import', folder], there)
    expect([damaged.code, damaged.err]).toEqual([
      1,
      expect.stringContaining('is not what was archived; nothing was imported'),
    ])
    expect((await tollbook(['import', file], there)).err).toContain(
      'is damaged: unexpected end of file; nothing was imported',
    )
  })
})
