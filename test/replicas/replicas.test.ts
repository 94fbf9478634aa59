import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { replicaFinding } from '../../src/main/doctor/replica-findings.ts'
import { openReplicas } from '../../src/store/engines/postgres-replicas.ts'
import { openStore, readingFrom, seenByReaders } from '../../src/store/open.ts'
import { SCHEMA_VERSION } from '../../src/store/schema-version.ts'
import type { ReadReplicas, Store } from '../../src/store/store.ts'
import { saveEvidence } from '../../src/store/transfer/save-evidence.ts'
import { directoryOf } from '../support/directory.ts'
import { temporaryFolder } from '../support/engines.ts'
import { freshDatabase, otherPostgres, type ThrowAwayPostgres, throwAwayPostgres } from '../support/postgres.ts'
import { serving, tollbook } from '../support/program.ts'
import { aListing, evidence } from '../support/samples.ts'
import { asking } from '../workers/asking.ts'

const HOST = 'api.seller.example'
const PATIENCE = { timeout: 60_000, interval: 50 }

/** A real streaming replica, by the binaries from npm that all tests use. */
describe('a streaming replica', () => {
  let writer: ThrowAwayPostgres
  let replica: ThrowAwayPostgres
  let urls: { readonly writer: string; readonly replica: string }

  beforeAll(async () => {
    writer = await throwAwayPostgres()
    replica = await writer.replicate()
  })

  afterAll(async () => {
    await replica.stop()
    await writer.stop()
  })

  beforeEach(async () => {
    const url = await freshDatabase(writer.url)
    const copy = new URL(replica.url)
    copy.pathname = new URL(url).pathname
    urls = { writer: url, replica: copy.href }
  })

  const tellReplica = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: replica.url })
    await client.connect()
    await client.query(statement)
    await client.end()
  }

  describe('that a program reads from', () => {
    let store: Store
    let replicas: ReadReplicas

    beforeEach(async () => {
      store = await openStore({ dataDir: temporaryFolder(), databaseUrl: urls.writer })
      replicas = await openReplicas({
        ...{ writerUrl: urls.writer, urls: [urls.replica], onTrouble: () => undefined, mostLagMs: 1500 },
        schemaVersion: SCHEMA_VERSION,
      })
      await expect.poll(answeredBy, PATIENCE).toBe('replica')
    })

    afterEach(async () => {
      await tellReplica('select pg_wal_replay_resume()')
      await replicas.close()
      await store.close()
    })

    const answeredBy = async (): Promise<string> => {
      const { rows } = await sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`.execute(replicas.read)
      return rows[0]?.standby ? 'replica' : 'writer'
    }
    const routesSeen = async (): Promise<number | undefined> =>
      (await directoryOf(readingFrom(store, replicas)).hostView(HOST, { limit: 5, cursor: null }))?.counters.routes

    it('shows a reader its own write, through the writer until the replica has it', async () => {
      await tellReplica('select pg_wal_replay_pause()')
      await saveEvidence(seenByReaders(store, replicas), evidence({ listings: [aListing()] }))
      expect(await routesSeen()).toBe(1)
      expect(await answeredBy()).toBe('writer')
      await tellReplica('select pg_wal_replay_resume()')
      await expect.poll(answeredBy, PATIENCE).toBe('replica')
      expect(await routesSeen()).toBe(1)
    })

    it('is read from again and again where there are several, and says when another one is gone over to', async () => {
      const several = await openReplicas({
        ...{ writerUrl: urls.writer, urls: [urls.replica, urls.replica], onTrouble: () => undefined },
        schemaVersion: SCHEMA_VERSION,
      })
      try {
        const directory = directoryOf(readingFrom(store, several))
        const states = () => several.standing().replicas.map(({ state }) => state)
        await expect.poll(states, PATIENCE).toEqual(['following', 'following'])
        await several.ping()
        const before = directory.switches()
        for (let n = 0; n < 20; n += 1) await several.ping()
        expect(directory.switches()).toBe(before)
        await tellReplica('select pg_wal_replay_pause()')
        await saveEvidence(seenByReaders(store, several), evidence({ listings: [aListing()] }))
        await several.ping()
        expect(directory.switches()).toBe(before + 1)
      } finally {
        await several.close()
      }
    })

    it('is left out while it is too late, and comes back', async () => {
      await tellReplica('select pg_wal_replay_pause()')
      await saveEvidence(store, evidence({ listings: [aListing()] }))
      expect(await answeredBy()).toBe('replica')
      await expect.poll(() => replicas.standing().replicas[0], PATIENCE).toMatchObject({ state: 'behind' })
      expect(replicas.standing().replicas[0]?.lagBytes).toBeGreaterThan(0)
      expect(await answeredBy()).toBe('writer')
      expect(await routesSeen()).toBe(1)
      await tellReplica('select pg_wal_replay_resume()')
      await expect.poll(answeredBy, PATIENCE).toBe('replica')
      expect(replicas.standing()).toMatchObject({ writer: 'answers', replicas: [{ state: 'following', lagBytes: 0 }] })
    })

    it('may hang: whoever waits there, or for a connection to it, is answered by the writer', async () => {
      replica.freeze()
      const startMs = performance.now()
      try {
        const answers = await Promise.all(Array.from({ length: 20 }, answeredBy))
        expect(new Set(answers)).toEqual(new Set(['writer']))
        // Half a second between looks, two of patience, and a slow machine.
        expect(performance.now() - startMs).toBeLessThan(6_000)
        expect(replicas.standing().replicas[0]).toMatchObject({ state: 'away' })
      } finally {
        replica.thaw()
      }
      await expect.poll(answeredBy, PATIENCE).toBe('replica')
    })

    it('that was late before the program started is left out until it has what the writer had then', async () => {
      await tellReplica('select pg_wal_replay_pause()')
      await saveEvidence(store, evidence({ listings: [aListing()] }))
      const started = await openReplicas({
        ...{ writerUrl: urls.writer, urls: [urls.replica], onTrouble: () => undefined },
        schemaVersion: SCHEMA_VERSION,
      })
      try {
        const standing = () => started.standing().replicas[0]
        expect(standing()).toMatchObject({ state: 'behind' })
        expect(standing()?.lagBytes).toBeGreaterThan(0)
        const finding = await replicaFinding({ databaseUrl: urls.writer, readUrls: [urls.replica] })
        expect(finding.what).toMatch(/^\S+ behind by [1-9]\d* bytes$/)
        await tellReplica('select pg_wal_replay_resume()')
        await expect.poll(standing, PATIENCE).toMatchObject({ state: 'following', lagBytes: 0 })
      } finally {
        await started.close()
      }
    })

    it('is none when it is no replica, or one of another server or database', async () => {
      const next = await freshDatabase(writer.url)
      await (await openStore({ dataDir: temporaryFolder(), databaseUrl: next })).close()
      const beside = new URL(replica.url)
      beside.pathname = new URL(next).pathname
      const other = await otherPostgres()
      await (await openStore({ dataDir: temporaryFolder(), databaseUrl: other.url })).close()
      const copy = await other.replicate()
      const strangers = await openReplicas({
        ...{ writerUrl: urls.writer, urls: [urls.writer, copy.url, beside.href], onTrouble: () => undefined },
        schemaVersion: SCHEMA_VERSION,
      })
      try {
        const states = () => strangers.standing().replicas.map(({ state }) => state)
        await expect.poll(states, PATIENCE).toEqual(['not a replica', 'another database', 'another database'])
        const { rows } = await sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`.execute(strangers.read)
        expect(rows).toEqual([{ standby: false }])
      } finally {
        await strangers.close()
        await copy.stop()
        await other.stop()
      }
    })
  })

  it('that got more of the old writer than the new one is left out, also when the new one has written more', async () => {
    const old = await otherPostgres()
    await (await openStore({ dataDir: temporaryFolder(), databaseUrl: old.url })).close()
    const [next, astray] = [await old.replicate(), await old.replicate()]
    await next.kill()
    const end = await wroteMuch(old.url)
    await expect.poll(() => one(astray.url, 'select pg_last_wal_replay_lsn()'), PATIENCE).toBe(end)
    await old.kill()
    await next.start()
    await one(next.url, 'select pg_promote()')
    const replicas = await openReplicas({
      ...{ writerUrl: next.url, urls: [astray.url], onTrouble: () => undefined, schemaVersion: SCHEMA_VERSION },
    })
    try {
      const states = () => replicas.standing().replicas.map(({ state }) => state)
      expect(states()).toEqual(['ahead'])
      await wroteMuch(next.url)
      await wroteMuch(next.url)
      // Everybody is looked at every half second.
      await wait(2_000)
      expect(states()).toEqual(['ahead'])
    } finally {
      await replicas.close()
      for (const server of [astray, next, old]) await server.stop()
    }
  })

  it('and its writer may be killed under load: reads go on, nothing acknowledged is lost', async () => {
    const env = { DATABASE_URL: urls.writer, DATABASE_READ_URL: urls.replica, DATA_DIR: temporaryFolder() }
    const store = await openStore({ dataDir: env.DATA_DIR, databaseUrl: urls.writer })
    await saveEvidence(store, evidence({ listings: [aListing()] }))
    await store.close()
    const server = await serving({ ...env, WEB_WORKERS: '2', PROBE_CHECK: 'none', PROBE_OPT_OUT: '*.example' })
    const ask = asking(server.address)
    const acknowledged = new Set<string>()
    const unread: string[] = []
    let reads = 0
    let isOver = false
    const write = async (): Promise<void> => {
      for (let n = 0; !isOver; n += 1) {
        const text = `Review ${n}.`
        const body = { method: 'GET', url: `https://${HOST}/v1/weather`, rail: 'x402', rating: 4, text }
        const { status } = await ask.post('/v1/reviews', body).catch(() => ({ status: 0 }))
        if (status === 201) acknowledged.add(text)
      }
    }
    const read = async (): Promise<void> => {
      for (; !isOver; reads += 1) {
        const { status } = await ask.get(`/v1/hosts/${HOST}?x=${reads}`).catch(() => ({ status: 0 }))
        if (status !== 200) unread.push(`read ${reads}: ${status}`)
      }
    }
    const going = [write(), read(), read()]
    const more = async (): Promise<void> => {
      const [written, seen] = [acknowledged.size, reads]
      await expect.poll(() => acknowledged.size, PATIENCE).toBeGreaterThan(written + 5)
      await expect.poll(() => reads, PATIENCE).toBeGreaterThan(seen + 20)
    }
    const standing = async () => JSON.parse((await ask.get('/readyz')).body)
    try {
      await more()
      await replica.kill()
      await more()
      await expect.poll(standing, PATIENCE).toMatchObject({ writer: 'answers', replicas: [{ state: 'away' }] })
      await replica.start()
      await expect.poll(standing, PATIENCE).toMatchObject({ replicas: [{ state: 'following' }] })
      await more()
      await writer.kill()
      const seen = reads
      await expect.poll(() => reads, PATIENCE).toBeGreaterThan(seen + 50)
      await expect.poll(standing, PATIENCE).toMatchObject({ status: 'ready', writer: 'away' })
      await writer.start()
      await more()
    } finally {
      isOver = true
      await Promise.all(going)
      await server.stop()
    }
    expect(unread).toEqual([])
    const after = await openStore({ dataDir: env.DATA_DIR, databaseUrl: urls.writer })
    const texts = (await after.read.selectFrom('reviews').select('text').execute()).map(({ text }) => text)
    await after.close()
    expect([...acknowledged].filter((text) => !texts.includes(text))).toEqual([])
    expect(new Set(texts).size).toBe(texts.length)
    expect((await tollbook(['verify'], env)).out).toBe('Verified 1 host, 0 differences.\n')
  })
})

/** What a statement answers. */
async function one(url: string, statement: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query({ text: statement, rowMode: 'array' })
    return rows[0]?.[0]
  } finally {
    await client.end()
  }
}

/** A megabyte of the log of writes; where it stands then. */
async function wroteMuch(url: string): Promise<unknown> {
  await one(url, "select pg_logical_emit_message(true, 'filling', repeat('x', 1000000))")
  return one(url, 'select pg_current_wal_lsn()')
}
