import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SOURCE, sweepingAt } from '../../bench/rigs/sweeping.ts'
import { type ProbeDeps, probeCommand } from '../../src/cli/probe.ts'
import { commandContext } from '../../src/cli/testing/command-context.ts'
import { sweepOnce } from '../../src/ingest/ingester.ts'
import { sendJson, serve as serveSource } from '../../src/ingest/testing/loopback.ts'
import { loadConfig } from '../../src/main/config.ts'
import { checksOf } from '../../src/main/doctor/checks.ts'
import { serve } from '../../src/main/serve.ts'
import { createProber } from '../../src/probe/prober.ts'
import { DEFAULT_PROBER } from '../../src/probe/settings.ts'
import { distribute } from '../../src/store/engines/citus.ts'
import { openStore } from '../../src/store/open.ts'
import { savePost } from '../../src/store/posts/save-post.ts'
import { partOf } from '../../src/store/sql/parts.ts'
import type { Store } from '../../src/store/store.ts'
import { exportRecords } from '../../src/store/transfer/export.ts'
import { importFile } from '../../src/store/transfer/import.ts'
import { verifyStore } from '../../src/store/transfer/verify.ts'
import { always402, startSellers } from '../probe/sellers.ts'
import { type CitusCluster, joinedDatabase, throwAwayCluster } from '../support/citus.ts'
import { citusPrograms } from '../support/citus-programs.ts'
import { temporaryFolder } from '../support/engines.ts'
import { aPost } from '../support/samples.ts'
import { asking } from '../workers/asking.ts'

const HOSTS = 12
const ITEMS = 60
const nameOf = (n: number): string => `seller-${n}.example`
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const item = (n: number) => ({
  resource: `http://${nameOf(n % HOSTS)}/v1/tool-${n}`,
  type: 'http',
  x402Version: 2,
  accepts: [{ scheme: 'exact', network: 'base', amount: '10000', asset: USDC, payTo: `0x${'ab'.repeat(20)}` }],
})

const linesOf = async (store: Store): Promise<string[]> => {
  const lines: string[] = []
  await exportRecords(store, async (records) => {
    lines.push(...records.map((record) => JSON.stringify(record)))
  })
  return lines
}

const programs = citusPrograms()

describe.skipIf(programs === null)('on a Citus cluster', () => {
  const folder = temporaryFolder()
  let cluster: CitusCluster
  let env: Record<string, string>
  let store: Store
  let running: Awaited<ReturnType<typeof serve>>
  let ask: ReturnType<typeof asking>

  beforeAll(async () => {
    cluster = await throwAwayCluster(programs ?? '', ['fsync=off'])
    const databaseUrl = await joinedDatabase(cluster.urls, 'flows')
    const empty = await openStore({ dataDir: folder, databaseUrl })
    await distribute(empty)
    await empty.close()
    env = {
      ...{ DATABASE_URL: databaseUrl, DATA_DIR: folder, PORT: '0', BIND: '127.0.0.1' },
      ...{ RATE_LIMITS: 'off', LOG_LEVEL: 'error', SOURCES: 'none', PROBE_OPT_OUT: '*.example' },
    }
    store = await openStore({ dataDir: folder, databaseUrl })
    running = await serve(loadConfig(env), ['web'])
    ask = asking(running.address ?? '')
  })

  afterAll(async () => {
    await running.stop(1000)
    await store.close()
    await cluster.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const bodyOf = async (path: string) => {
    const { status, body } = await ask.get(path)
    expect({ path, status, body: status === 200 ? '' : body }).toEqual({ path, status: 200, body: '' })
    return JSON.parse(body)
  }

  it('a sweep, a round of probes, a review and a post reach the pages', async () => {
    const source = await serveSource((_, response) =>
      sendJson(response, {
        x402Version: 2,
        items: Array.from({ length: ITEMS }, (_, n) => item(n)),
        pagination: { limit: 100, offset: 0, total: ITEMS },
      }),
    )
    const swept = await sweepOnce({ store, ...sweepingAt(Number(new URL(source.url).port)) }, SOURCE)
    await source.close()
    expect(swept).toMatchObject({ status: 'complete', stored: ITEMS })

    const sellers = await startSellers(always402)
    const nowUs = (): number => Date.now() * 1000
    const { context, said } = commandContext({
      openStore: () => openStore({ dataDir: folder, databaseUrl: env.DATABASE_URL }),
    })
    const prober: ProbeDeps['prober'] = (opened, told) =>
      createProber(
        { store: opened, egress: sellers.egress, nowUs, name: 'flow', ...told },
        { ...DEFAULT_PROBER, manners: { gapMs: 0, optOut: [] } },
      )
    const never = () => new Promise<never>(() => undefined)
    expect(await probeCommand({ prober, nowUs, nextSignal: never }).run([], context)).toBe(0)
    await sellers.close()
    expect(said.out).toContain(`Probed ${ITEMS} routes of ${HOSTS} hosts`)

    const review = { method: 'GET', url: item(3).resource, rail: 'x402', rating: 4, text: 'It answered.' }
    expect((await ask.post('/v1/reviews', review)).status).toBe(201)
    await savePost(store, aPost({ host: nameOf(3) }))

    expect(await bodyOf(`/v1/hosts/${nameOf(3)}?x=1`)).toMatchObject({
      host: nameOf(3),
      counters: { routes: ITEMS / HOSTS },
    })
    expect((await bodyOf(`/v1/hosts/${nameOf(3)}/reviews`)).reviews).toHaveLength(1)
    expect((await bodyOf('/v1/hosts?q=tool-17')).hosts[0].host).toBe(nameOf(17 % HOSTS))
    expect((await bodyOf('/v1/hosts?limit=50')).hosts).toHaveLength(HOSTS)
  })

  it('each host is read on the machine that has it, also after it was moved to another', async () => {
    const { rows } = await sql<{ host_id: number; name: string }>`select host_id, name from hosts`.execute(store.read)
    const portOf = async (hostId: number) => {
      const { read } = partOf(store, hostId)
      const found = await sql<{ port: number; name: string }>`select inet_server_port() as port, h.name from hosts as h
        where h.host_id = ${hostId}`.execute(read)
      return found.rows[0]
    }
    const [coordinator, ...workers] = cluster.urls.map((url) => Number(new URL(url).port))
    const ports = new Set<number>()
    for (const { host_id, name } of rows) {
      const found = await portOf(host_id)
      expect(found?.name).toBe(name)
      ports.add(found?.port ?? 0)
    }
    expect([...ports].sort()).toEqual(workers.toSorted())
    expect(ports).not.toContain(coordinator)
    const [{ host_id: moved = 0 } = {}] = rows
    const before = (await portOf(moved))?.port
    const after = workers.find((port) => port !== before)
    const shard = sql`get_shard_id_for_distribution_column('hosts', ${sql.lit(moved)}::bigint)`
    const [from, to] = [before, after].map((port) => sql`'127.0.0.1', ${sql.lit(port ?? 0)}`)
    await sql`select citus_move_shard_placement(${shard}, ${from}, ${to}, 'block_writes')`.execute(store.read)
    await expect.poll(async () => (await portOf(moved))?.port, { timeout: 10_000 }).toBe(after)
  })

  it('what is exported is the same in another store, and every counter is right', async () => {
    const lines = await linesOf(store)
    expect(lines.filter((line) => line.includes('"kind":"probe"'))).toHaveLength(ITEMS)
    expect((await verifyStore(store, () => undefined)).differences).toBe(0)
    const file = join(folder, 'all.ndjson')
    writeFileSync(file, `${lines.join('\n')}\n`)
    const other = await openStore({ dataDir: join(folder, 'other'), databaseUrl: undefined })
    await importFile(other, file, [])
    expect(await linesOf(other)).toEqual(lines)
    await other.close()
    await importFile(store, file, [])
    expect(await linesOf(store)).toEqual(lines)
    expect((await verifyStore(store, () => undefined)).differences).toBe(0)
  })

  it('/readyz and the doctor ask every worker', async () => {
    const doctor = async () => {
      const check = checksOf(loadConfig(env)).find(({ name }) => name === 'database')
      return check?.run()
    }
    expect((await ask.get('/readyz')).status).toBe(200)
    expect(await doctor()).toMatchObject({ state: 'ok', what: expect.stringContaining('2 workers') })
    const [worker] = cluster.workers
    await worker?.kill()
    const gone = await ask.get('/readyz')
    expect(gone.status).toBe(503)
    expect(JSON.parse(gone.body)).toMatchObject({ detail: expect.stringContaining('does not answer') })
    expect(await doctor()).toMatchObject({
      state: 'fail',
      what: expect.stringMatching(/^no answer from 127\.0\.0\.1:\d+$/),
    })
    await worker?.start()
    await expect.poll(async () => (await ask.get('/readyz')).status, { timeout: 30_000 }).toBe(200)
    expect((await bodyOf(`/v1/hosts/${nameOf(3)}?x=2`)).host).toBe(nameOf(3))
  })

  it('is not read from replicas, and says so', async () => {
    const config = loadConfig({ ...env, DATABASE_READ_URL: cluster.urls[1] })
    await expect(serve(config, ['web'])).rejects.toThrow('a copy of its coordinator has none of its hosts')
    const replicas = checksOf(config).find(({ name }) => name === 'replicas')
    expect(await replicas?.run()).toMatchObject({
      state: 'fail',
      fix: expect.stringContaining('unset DATABASE_READ_URL'),
    })
  })
})
