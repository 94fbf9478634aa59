import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostName, listingOf, probeOf, routeOf } from '../../bench/rigs/data.ts'
import { distribute } from '../../src/store/engines/citus.ts'
import { saveListings } from '../../src/store/facts/save-listings.ts'
import { openStore } from '../../src/store/open.ts'
import type { ProbeInput } from '../../src/store/probes/probes.ts'
import { saveProbes } from '../../src/store/probes/save-probes.ts'
import type { Store } from '../../src/store/store.ts'
import { verifyStore } from '../../src/store/transfer/verify.ts'
import { type Seeded, startSeeded } from '../crash/seeded.ts'
import { type CitusCluster, joinedDatabase, throwAwayCluster } from '../support/citus.ts'
import { citusPrograms } from '../support/citus-programs.ts'

const HOSTS = 12
const ROUTES = Array.from({ length: HOSTS }, (_, n) => routeOf(hostName(n), n))
/** Of each machine. */
const KILLS = Number(process.env.CLUSTER_KILLS ?? 3)
const PAUSE_MS = 50
const LONGEST_MS = 30_000

/** Saves one entry after the other, of one host or of all, each again until it is kept. */
class Writers {
  kept = 0
  refused = 0
  #isEnding = false
  readonly #ended: Promise<unknown>

  constructor(store: Store, firstRound: number) {
    let round = firstRound
    const write = async (probesOf: (round: number) => readonly ProbeInput[]): Promise<void> => {
      while (!this.#isEnding) {
        const probes = probesOf(round++)
        await this.#save(store, probes)
        this.kept += probes.length
      }
    }
    const ofOne = (n: number) => (at: number) => ROUTES.slice(n, n + 1).map((route) => probeOf(route, n, at))
    const ofAll = (at: number) => ROUTES.map((route, n) => probeOf(route, n, at))
    this.#ended = Promise.all([...Array.from({ length: 6 }, (_, n) => write(ofOne(n))), write(ofAll)])
  }

  async end(): Promise<void> {
    this.#isEnding = true
    await this.#ended
  }

  async #save(store: Store, probes: readonly ProbeInput[]): Promise<void> {
    try {
      await saveProbes(store, { probes })
    } catch {
      this.refused += 1
      await wait(PAUSE_MS)
      await this.#save(store, probes)
    }
  }
}

interface Findings {
  readonly entries: number
  /** Counters that are wrong. */
  readonly differences: number
  /** Numbers of entries of the log that are named by what is stored and not there, and the other way round. */
  readonly notLogged: readonly number[]
  readonly notStored: readonly number[]
}

/** Once every machine answers: lost connections are found one after the other. */
async function findings(store: Store): Promise<Findings> {
  const deadlineMs = performance.now() + LONGEST_MS
  for (;;) {
    try {
      await store.ping()
      await sql`select recover_prepared_transactions()`.execute(store.read)
      return await found(store)
    } catch (error) {
      if (performance.now() > deadlineMs) throw error
      await wait(PAUSE_MS)
    }
  }
}

async function found(store: Store): Promise<Findings> {
  const stored = await sql<{ id: number }>`select log_id as id from probes`.execute(store.read)
  const logged = await sql<{ id: number }>`select entry_id as id from log_entries
    where body like '%"kind":"probe"%'`.execute(store.read)
  const [inStore, inLog] = [stored, logged].map(({ rows }) => new Set(rows.map(({ id }) => id)))
  const { differences } = await verifyStore(store, () => undefined)
  const notIn = (ids: Set<number> | undefined, others: Set<number> | undefined): number[] =>
    [...(ids ?? [])].filter((id) => !others?.has(id))
  return {
    entries: stored.rows.length,
    differences,
    notLogged: notIn(inStore, inLog),
    notStored: notIn(inLog, inStore),
  }
}

const programs = citusPrograms()

describe.skipIf(programs === null)('kill -9 of the machines of a Citus cluster under load', () => {
  let cluster: CitusCluster
  let store: Store
  let random: Seeded
  let kept = 0
  beforeAll(async () => {
    random = startSeeded('Citus')
    cluster = await throwAwayCluster(programs ?? '', ['citus.recover_2pc_interval=500ms'])
    const databaseUrl = await joinedDatabase(cluster.urls, 'killed')
    const empty = await openStore({ dataDir: '', databaseUrl })
    await distribute(empty)
    await empty.close()
    store = await openStore({ dataDir: '', databaseUrl })
    await saveListings(store, { listings: ROUTES.map((route, n) => listingOf(route, n)) })
  })
  afterAll(async () => {
    await store.close()
    await cluster.stop()
  })

  it.each(['the coordinator', 'the first worker', 'the second worker'])(
    '%s: nothing acknowledged is lost, nothing is counted or logged twice, and the log has all that is stored',
    async (machine) => {
      const { coordinator, workers } = cluster
      const [node] =
        machine === 'the coordinator' ? [coordinator] : workers.slice(machine === 'the first worker' ? 0 : 1)
      for (let kill = 0; kill < KILLS; kill++) {
        const writers = new Writers(store, 1 + kept)
        await expect.poll(() => writers.kept, { timeout: 60_000 }).toBeGreaterThan(20)
        await wait(random.between(0, 120))
        await node?.kill()
        await wait(random.between(0, 120))
        await node?.start()
        await writers.end()
        kept += writers.kept
        expect(writers.refused).toBeGreaterThan(0)
        expect({ kill, ...(await findings(store)) }).toEqual({
          ...{ kill, entries: kept, differences: 0, notLogged: [], notStored: [] },
        })
      }
    },
    300_000,
  )
})
