import { copyFileSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, expect, it } from 'vitest'
import { directoryOf } from '../../test/support/directory.ts'
import { onEachEngine, temporaryFolder } from '../../test/support/engines.ts'
import { aListing, aPost, aProbe, aReview, evidence, NOON_US } from '../../test/support/samples.ts'
import { EvidenceLog } from '../log/evidence-log.ts'
import { seedIn } from '../log/key.ts'
import { Sequencer } from '../log/sequencer.ts'
import { sequenceOversized } from '../log/testing/oversized.ts'
import {
  decodeBundle,
  hashLeaf,
  newVerifier,
  openCheckpoint,
  parseProof,
  textOf,
  tilePath,
  treeHash,
  verifyInclusion,
} from '../log/tlog/index.ts'
import { openStore } from '../store/open.ts'
import { saveProbes } from '../store/probes/save-probes.ts'
import type { Store } from '../store/store.ts'
import { saveEvidence } from '../store/transfer/save-evidence.ts'
import { evidenceLog as schema } from '../wire/api/log.ts'
import type { WebServer } from './server/server.ts'
import { ask, problemIn, startSample } from './testing/samples.ts'

const HOST = 'api.seller.example'
const ORIGIN = 'tollbook.example/log'

async function grow(store: Store, log: EvidenceLog): Promise<void> {
  const sequencer = new Sequencer({
    ...{ store, by: 'test', nowUs: () => NOON_US, mayGrow: () => log.mayGrow() },
    onTrouble: (error) => {
      throw error
    },
  })
  while ((await sequencer.step()) > 0 || (await sequencer.pack()));
}

onEachEngine('the served log', (engine) => {
  const servers: WebServer[] = []
  const folders: string[] = []
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.drain(100)
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  })
  const folderOf = (): string => {
    const folder = temporaryFolder()
    folders.push(folder)
    return folder
  }

  const world = async () => {
    const store = await engine.open()
    const folder = folderOf()
    const log = await EvidenceLog.open({ store, seed: seedIn(folder), origin: ORIGIN, folder })
    if (log === null) throw new Error('there is a key')
    const web = await startSample({ directory: directoryOf(store), evidenceLog: async () => log })
    servers.push(web)
    const get = (path: string, headers = {}) => ask(web.port, path, headers)
    return { store, folder, log, get }
  }

  it('gives a checkpoint, tiles, entries and proofs that a stranger can check', async () => {
    const { store, log, get } = await world()
    for (let n = 0; n < 300; n += 1) await saveProbes(store, { probes: [aProbe({ atUs: NOON_US + n })] })
    await grow(store, log)
    const vkey = (await get('/log/vkey')).text.trim()
    const { size, root, origin } = await openCheckpoint((await get('/log/checkpoint')).text, newVerifier(vkey))
    expect([size, origin]).toEqual([300, ORIGIN])
    const tile = async (level: number, index: number, width: number) => {
      const reply = await get(`/log/${tilePath({ level, index, width })}`)
      expect(reply.headers['cache-control']).toBe('public, max-age=31536000, immutable')
      return new Uint8Array(reply.bytes)
    }
    expect(await treeHash(tile, size)).toEqual(root)
    const bundle = new Uint8Array((await get('/log/tile/entries/001.p/44')).bytes)
    const entries = decodeBundle(bundle, 44)
    const proof = parseProof((await get('/log/proof/299')).text)
    const last = entries.at(-1) ?? new Uint8Array(0)
    expect(JSON.parse(textOf(last))).toMatchObject({ v: 1, host: HOST, records: [{ kind: 'probe' }] })
    expect(verifyInclusion(hashLeaf(last), 299, size, proof.hashes, root)).toBe(true)
    expect((await get('/log/tile/0/000')).bytes).toHaveLength(8192)
    const [plain, narrow] = [await get('/log/tile/entries/000'), await get('/log/tile/entries/000.p/255')]
    expect(plain.headers['content-encoding']).toBeUndefined()
    const all = decodeBundle(new Uint8Array(plain.bytes), 256)
    expect(decodeBundle(new Uint8Array(narrow.bytes), 255).map(textOf)).toEqual(all.slice(0, 255).map(textOf))
    for (const accepted of ['gzip', 'br, gzip, deflate', '*', 'x-gzip;q=0.5, identity;q=0.5']) {
      const packed = await get('/log/tile/entries/000', { 'Accept-Encoding': accepted })
      expect([packed.headers['content-encoding'], packed.headers.vary], accepted).toEqual(['gzip', 'Accept-Encoding'])
      expect(gunzipSync(packed.bytes).equals(plain.bytes), accepted).toBe(true)
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 5)
    }
    for (const accepted of ['br', 'gzip;q=0', 'identity, gzip;q=0.5', '']) {
      const { headers, bytes } = await get('/log/tile/entries/000', { 'Accept-Encoding': accepted })
      expect([headers['content-encoding'], bytes.equals(plain.bytes)], accepted).toEqual([undefined, true])
    }
    for (const path of ['/log/tile/0/001', '/log/tile/0/1', '/log/tile/9/000', '/log/proof/300', '/log/proof/01'])
      expect((await get(path)).status, path).toBe(404)
  })

  it('is not sent again to whoever has it', async () => {
    const { store, log, get } = await world()
    await saveProbes(store, { probes: [aProbe()] })
    await grow(store, log)
    const page = { Accept: 'text/html', 'Accept-Encoding': 'gzip' }
    expect((await get('/log', page)).headers).toMatchObject({
      etag: expect.any(String),
      vary: 'Accept, Accept-Encoding',
    })
    for (const path of ['vkey', 'checkpoint', 'proof/0', 'tile/entries/000.p/1', 'tile/0/000.p/1']) {
      const { etag = '' } = (await get(`/log/${path}`)).headers
      expect([path, (await get(`/log/${path}`, { 'If-None-Match': etag })).status]).toEqual([path, 304])
    }
  })

  it('serves a bundle whole or not at all', async () => {
    const { store, log, get } = await world()
    const hosts = Array.from({ length: 260 }, (_, n) => aProbe({ host: `h${n}.seller.example`, atUs: NOON_US + n }))
    await saveProbes(store, { probes: hosts })
    await grow(store, log)
    expect((await get('/log/tile/entries/000')).status).toBe(200)
    await store.write(async (writer) => {
      await writer.deleteFrom('log_bundles').execute()
    })
    for (const path of ['/log/tile/entries/000', '/log/tile/entries/000.p/7']) {
      const { status, headers } = await get(path, { 'Accept-Encoding': 'gzip' })
      expect([path, status, headers['cache-control']]).not.toContain('public, max-age=31536000, immutable')
      expect(status, path).toBe(404)
    }
    expect((await get('/log/tile/entries/001.p/4')).status).toBe(200)
  })

  it('serves all but the bundle that an entry of an earlier version is too long for, and says why', async () => {
    const { store, log, get } = await world()
    await saveProbes(store, { probes: [aProbe()] })
    await grow(store, log)
    await sequenceOversized(store, NOON_US + 20_000_000)
    const hosts = Array.from({ length: 600 }, (_, n) => aProbe({ host: `h${n}.seller.example`, atUs: NOON_US + n }))
    await saveProbes(store, { probes: hosts })
    await grow(store, log)
    for (const path of ['/log/tile/entries/000', '/log/tile/entries/000.p/2']) {
      const reply = await get(path, { 'Accept-Encoding': 'gzip' })
      expect([path, reply.status, JSON.parse(reply.text).detail]).toEqual([
        ...[path, 404],
        'Entry 1 of this log has 65536 bytes and a bundle holds 65535, so there is no bundle with it.',
      ])
    }
    const others = ['checkpoint', 'tile/entries/000.p/1', 'tile/entries/001', 'tile/0/000', 'tile/1/000.p/2', 'proof/1']
    for (const path of [...others, 'tile/entries/002.p/90', 'proof/601'])
      expect([path, (await get(`/log/${path}`)).status]).toEqual([path, 200])
  })

  it('says on every piece of evidence where it is logged, once it is', async () => {
    const { store, log, get } = await world()
    const batch = { listings: [aListing()], probes: [aProbe()], reviews: [aReview()], posts: [aPost()] }
    await saveEvidence(store, evidence(batch))
    const read = async () => JSON.parse((await get(`/v1/hosts/${HOST}`)).text)
    const [before] = (await read()).routes
    expect(before.listings[0].log ?? before.probes[0].log ?? before.reviews[0].log).toBeUndefined()
    await grow(store, log)
    const { routes, thread } = await read()
    for (const piece of [routes[0].listings[0], routes[0].probes[0], routes[0].reviews[0], thread.posts[0]])
      expect(piece.log).toEqual({ index: 0 })
    expect(JSON.parse((await get('/v1/reviews/review-1')).text).log).toEqual({ index: 0 })
    expect(JSON.parse((await get(`/v1/hosts/${HOST}/probes`)).text).probes[0].log).toEqual({ index: 0 })
    expect((await get(`/hosts/${HOST}?format=html`)).text).toContain(
      '<a class="by" href="/log/proof/0">in the log at 0</a>',
    )
    expect((await get(`/hosts/${HOST}?format=md`)).text).toContain(
      'in the log at 0: <https://tollbook.example/log/proof/0>',
    )
  })

  it('has a page in three forms, a verifier in one file, and its key on the policy', async () => {
    const { store, log, get } = await world()
    await saveProbes(store, { probes: [aProbe()] })
    await grow(store, log)
    const json = JSON.parse((await get('/log?format=json')).text)
    expect(schema.parse(json)).toEqual(json)
    expect(json).toMatchObject({ size: 1, origin: ORIGIN, vkey: log.vkey, fault: null, history_left: 0 })
    for (const format of ['html', 'md']) {
      const { text } = await get(`/log?format=${format}`)
      expect(text).toContain(json.root)
      expect(text).toContain('What it does not prove')
    }
    expect((await get('/log/verify.mjs')).text).toContain('import')
    expect(JSON.parse((await get('/v1/policy')).text).log.vkey).toBe(log.vkey)
    expect((await get('/policy')).text).toContain(log.vkey)
  })

  it('is refused with a hint where no key is set', async () => {
    const web = await startSample()
    servers.push(web)
    const reply = await ask(web.port, '/log/checkpoint', { accept: 'application/json' })
    expect(reply.status).toBe(503)
    expect(problemIn(`\r\n\r\n${reply.text}`)).toMatchObject({
      title: 'No evidence log',
      hint: expect.stringContaining('LOG_KEY'),
    })
  })

  it('keeps its key and its newest checkpoint where only their owner reads them', async () => {
    const { store, folder, log, get } = await world()
    await saveProbes(store, { probes: [aProbe()] })
    await grow(store, log)
    await get('/log/checkpoint')
    for (const name of ['log.key', 'log.checkpoint']) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    expect(seedIn(folder)).toEqual(seedIn(folder))
  })
})

it('signs nothing any more from a store that is older than what was published', async () => {
  const folder = temporaryFolder()
  const kept = join(folder, 'kept')
  mkdirSync(kept)
  const options = { dataDir: join(folder, 'data'), databaseUrl: undefined }
  const opened = async () => {
    const store = await openStore(options)
    const log = await EvidenceLog.open({ store, seed: seedIn(kept), origin: ORIGIN, folder: kept })
    if (log === null) throw new Error('there is a key')
    return { store, log }
  }
  const copy = (from: string, to: string): void => {
    mkdirSync(to, { recursive: true })
    for (const name of ['tollbook.db', 'tollbook.db-wal'])
      if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name))
  }
  const first = await opened()
  await saveProbes(first.store, { probes: [aProbe()] })
  await grow(first.store, first.log)
  const note = await first.log.checkpoint()
  expect(note?.size).toBe(1)
  await first.store.close()
  const backup = join(folder, 'backup')
  copy(options.dataDir, backup)

  const second = await opened()
  expect((await second.log.checkpoint())?.note).toBe(note?.note)
  await saveProbes(second.store, { probes: [aProbe({ atUs: NOON_US + 1 })] })
  await grow(second.store, second.log)
  expect((await second.log.checkpoint())?.size).toBe(2)
  await second.store.close()

  rmSync(options.dataDir, { recursive: true })
  copy(backup, options.dataDir)
  const third = await opened()
  expect(await third.log.checkpoint()).toBeNull()
  expect(third.log.fault).toBe('the store has 1 entries of the log, and a checkpoint of 2 was published')
  await saveProbes(third.store, { probes: [aProbe({ atUs: NOON_US + 2 }), aProbe({ atUs: NOON_US + 3 })] })
  await grow(third.store, third.log)
  expect((await third.log.status()).size).toBe(1)
  await third.store.close()
  rmSync(folder, { recursive: true })
})
