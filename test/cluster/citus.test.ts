import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostName, listingOf, probeOf, routeOf } from '../../bench/rigs/data.ts'
import { distributeCommand } from '../../src/cli/schema/distribute.ts'
import { commandContext } from '../../src/cli/testing/command-context.ts'
import { loadConfig } from '../../src/main/config.ts'
import { databaseFinding } from '../../src/main/doctor/store-findings.ts'
import { saveListings } from '../../src/store/facts/save-listings.ts'
import { byShard, likelyIdOf } from '../../src/store/hosts/by-shard.ts'
import { openStore } from '../../src/store/open.ts'
import type { ProbeInput } from '../../src/store/probes/probes.ts'
import { saveProbes } from '../../src/store/probes/save-probes.ts'
import { NO_VANTAGE_ID } from '../../src/store/probes/vantages.ts'
import { enrol } from '../../src/store/schedule/enrol.ts'
import { claimTurns } from '../../src/store/schedule/schedule.ts'
import { partOf } from '../../src/store/sql/parts.ts'
import type { Store } from '../../src/store/store.ts'
import { exportRecords } from '../../src/store/transfer/export.ts'
import { verifyStore } from '../../src/store/transfer/verify.ts'
import type { HostQuery } from '../../src/views/host/hosts-view.ts'
import type { WrittenRecord } from '../../src/wire/records.ts'
import { type CitusCluster, joinedDatabase, throwAwayCluster } from '../support/citus.ts'
import { citusPrograms } from '../support/citus-programs.ts'
import { ALL_HOSTS, directoryOf } from '../support/directory.ts'

const HOSTS = 12
const ROUTES = 3
const ROUTE_REFS = Array.from({ length: HOSTS * ROUTES }, (_, n) => ({
  ...routeOf(hostName(n % HOSTS), n),
  path: `/v1/tools/${n}`,
}))
const LISTINGS = ROUTE_REFS.map((route, n) => listingOf(route, n))
const probesOf = (round: number) => ROUTE_REFS.map((route, n) => probeOf(route, n, round))

async function recordsOf(store: Store): Promise<WrittenRecord[]> {
  const all: WrittenRecord[] = []
  await exportRecords(store, async (records) => {
    all.push(...records)
  })
  return all
}

const isEntry = ({ kind }: WrittenRecord): boolean => kind === 'probe'
const differencesOf = async (store: Store): Promise<number> => (await verifyStore(store, () => undefined)).differences

const programs = citusPrograms()

describe.skipIf(programs === null)('a Citus cluster', () => {
  let cluster: CitusCluster
  let databaseUrl: string
  let store: Store
  beforeAll(async () => {
    cluster = await throwAwayCluster(programs ?? '', ['fsync=off', 'citus.recover_2pc_interval=500ms'])
  })
  afterAll(async () => {
    await store.close()
    await cluster.stop()
  })

  it('takes over a filled store with all that is in it, once, and says where each table went', async () => {
    databaseUrl = await joinedDatabase(cluster.urls, 'filled')
    const before = await openStore({ dataDir: '', databaseUrl })
    await saveListings(before, { listings: LISTINGS })
    await saveProbes(before, { probes: probesOf(0) })
    const records = await recordsOf(before)
    await before.close()
    const { context, said } = commandContext({ openStore: () => openStore({ dataDir: '', databaseUrl }) })
    expect(await distributeCommand.run([], context)).toBe(0)
    expect(said.out).toContain('probes: with its host\n')
    expect(said.out).toMatch(/Placed \d+ tables: 8 shards on 2 workers\. Restart what runs on it\.\n$/)
    said.out = ''
    await distributeCommand.run(['--shards', '32'], context)
    expect(said.out).toBe('Distributed already: 8 shards on 2 workers.\n')
    store = await openStore({ dataDir: '', databaseUrl })
    expect(store.dialect.name).toBe('citus')
    expect(await recordsOf(store)).toEqual(records)
    await store.ping()
    const { rows } = await sql<{ sorting: string }>`select result as sorting
      from run_command_on_workers('show enable_sort')`.execute(store.read)
    expect(rows.map(({ sorting }) => sorting)).toEqual(['off', 'off'])
    expect(await databaseFinding(loadConfig({ DATABASE_URL: databaseUrl }))).toMatchObject({
      state: 'ok',
      what: expect.stringContaining('Postgres of DATABASE_URL, 2 workers'),
    })
  })

  it('answers as one store would, and its counters are right after more was written', async () => {
    await saveProbes(store, { probes: probesOf(1) }, { announceUs: Date.now() * 1000 })
    const directory = directoryOf(store)
    const namesOf = async (more: Partial<HostQuery> = {}) =>
      (await directory.hosts({ ...ALL_HOSTS, ...more })).items.map(({ host }) => host)
    expect(await namesOf()).toEqual(Array.from({ length: HOSTS }, (_, n) => hostName(n)).sort())
    expect(await namesOf({ q: 'seller-7' })).toContain(hostName(7))
    expect((await directory.hostView(hostName(3), { limit: 5, cursor: null }))?.host).toBe(hostName(3))
    expect(await differencesOf(store)).toBe(0)
  })

  it('reads a host through the coordinator as on its machine, asked again and again', async () => {
    const there = directoryOf(store)
    const here = directoryOf({ ...store, parts: null })
    const [host, page] = [hostName(0), { limit: 2, cursor: null }]
    const first = await there.hostView(host, page)
    const route = { ...routeOf(host, 0), path: '/v1/tools/0' }
    expect(first?.nextRoutes).not.toBeNull()
    const ways: ((directory: typeof here) => Promise<unknown>)[] = [
      (directory) => directory.hostView(host, page),
      (directory) => directory.hostView(host, { ...page, cursor: first?.nextRoutes ?? null }),
      (directory) => directory.routes(host, page),
      (directory) => directory.route(host, route, page),
      (directory) => directory.decision(host, route),
    ]
    for (const way of ways) {
      const expected = await way(there)
      expect(expected).toBeDefined()
      // Past the times at which a statement gets a name, and then one plan for all values.
      for (let time = 0; time < 12; time++) expect(await way(here)).toEqual(expected)
    }
  })

  it('keeps each host on the machine that its number says', async () => {
    const ids = LISTINGS.map(likelyIdOf)
    const { rows } = await sql<{ id: number; shard: number }>`select u.id, (select count(*) from pg_dist_shard as s
        where s.logicalrelid = 'hosts'::regclass and s.shardid <= get_shard_id_for_distribution_column('hosts', u.id)) - 1 as shard
      from unnest(${ids}::bigint[]) as u(id)`.execute(store.read)
    expect(rows).toHaveLength(ids.length)
    expect(rows.map(({ id }) => store.dialect.shardOf(id))).toEqual(rows.map(({ shard }) => shard))
    const parts = byShard(store.dialect, LISTINGS, likelyIdOf)
    expect([...parts.values()].flat()).toHaveLength(LISTINGS.length)
  })

  it('gives out the hosts of one machine at a time, each to one prober', async () => {
    const nowUs = Date.now() * 1000
    const vantage = { id: NO_VANTAGE_ID, name: '' }
    await enrol(store, -1, { vantage, methods: ['GET', 'POST'], intervalUs: 3_600_000_000, nowUs })
    const claim = (n: number) =>
      claimTurns(store, {
        ...{ lease: `test/${n}`, vantageId: NO_VANTAGE_ID, nowUs, leaseUs: 60_000_000 },
        ...{ mostHosts: 2, routesPerHost: 3, within: null },
      })
    const claims = await Promise.all([claim(1), claim(2), claim(3)])
    const hosts = claims.flat().map(({ host }) => host)
    expect(hosts.length).toBeGreaterThan(0)
    expect(new Set(hosts).size).toBe(hosts.length)
    for (const turns of claims)
      expect(new Set(turns.map(({ hostId }) => store.dialect.shardOf(hostId))).size).toBeLessThanOrEqual(1)
  })

  it('saves what is said of the hosts of a machine while another one is gone', async () => {
    const [worker] = cluster.workers
    const portOf = async (hostId: number) =>
      (await sql<{ port: number }>`select inet_server_port() as port`.execute(partOf(store, hostId).read)).rows[0]?.port
    const parts = [...byShard(store.dialect, LISTINGS, likelyIdOf).values()]
    const ports = await Promise.all(parts.map(([first]) => portOf(first === undefined ? 0 : likelyIdOf(first))))
    const there = parts.filter((_, n) => ports[n] !== Number(new URL(worker?.url ?? '').port)).flat()
    expect(there.length).toBeGreaterThan(0)
    expect(there.length).toBeLessThan(LISTINGS.length)
    const announced = { announceUs: Date.now() * 1000 }
    await worker?.kill()
    for (const part of byShard(store.dialect, there, likelyIdOf).values()) {
      const listings = part.map((listing) => ({ ...listing, price: 77, lastUs: listing.lastUs + 1 }))
      await saveListings(store, { listings }, announced)
      await saveListings(store, { listings }, announced)
      // Newer ones with another challenge than before, and then one between them.
      for (const round of [13, 15, 14]) {
        const probes = part.map((listing, n) => ({ ...probeOf(listing, n + round, round), httpStatus: 402 }))
        await saveProbes(store, { probes }, announced)
      }
    }
    await worker?.start()
    const isWell = () => Promise.all([store.ping(), recordsOf(store)]).then(() => true)
    await expect.poll(() => isWell().catch(() => false), { timeout: 30_000 }).toBe(true)
    expect(await differencesOf(store)).toBe(0)
  })

  it('loses nothing that it acknowledged and counts nothing twice when a worker is killed under load', async () => {
    const before = (await recordsOf(store)).filter(isEntry).length
    const [worker] = cluster.workers
    let refused = 0
    const saved = async (probes: readonly ProbeInput[]): Promise<void> => {
      try {
        await saveProbes(store, { probes })
      } catch {
        refused += 1
        await wait(200)
        await saved(probes)
      }
    }
    const write = async (rounds: readonly number[]): Promise<void> => {
      for (const round of rounds)
        for (const part of byShard(store.dialect, probesOf(round), likelyIdOf).values()) await saved(part)
    }
    const writing = Promise.all([write([2, 3]), write([4, 5])])
    await worker?.kill()
    await expect(store.ping()).rejects.toThrow(/the worker 127\.0\.0\.1:\d+ does not answer/)
    expect(await databaseFinding(loadConfig({ DATABASE_URL: databaseUrl }))).toMatchObject({
      state: 'fail',
      what: expect.stringMatching(/^no answer from 127\.0\.0\.1:\d+$/),
    })
    await expect.poll(() => refused, { timeout: 30_000 }).toBeGreaterThan(0)
    await worker?.start()
    await writing
    // Connections of the coordinator to it are found lost one after the other.
    const recover = () => sql`select recover_prepared_transactions()`.execute(store.read)
    const isWell = () =>
      Promise.all([store.ping(), recover()])
        .then(() => recordsOf(store))
        .then(() => true)
    await expect.poll(() => isWell().catch(() => false), { timeout: 30_000 }).toBe(true)
    expect((await recordsOf(store)).filter(isEntry)).toHaveLength(before + 4 * ROUTE_REFS.length)
    expect(await differencesOf(store)).toBe(0)
  })
})
