import { sql } from 'kysely'
import { distribute } from '../../src/store/engines/citus.ts'
import { saveListings } from '../../src/store/facts/save-listings.ts'
import { byShard, likelyIdOf } from '../../src/store/hosts/by-shard.ts'
import type { RouteRef } from '../../src/store/hosts/route-ref.ts'
import { openStore } from '../../src/store/open.ts'
import { saveProbes } from '../../src/store/probes/save-probes.ts'
import type { Store } from '../../src/store/store.ts'
import { createDirectory } from '../../src/views/open-directory.ts'
import { joinedDatabase, throwAwayCluster } from '../../test/support/citus.ts'
import { citusPrograms } from '../../test/support/citus-programs.ts'
import { throwAwayPostgres } from '../../test/support/postgres.ts'
import { hostName, listingOf, probeOf, ROUTES_PER_HOST, routeOf } from '../rigs/data.ts'
import { interleaved, milliseconds, perSecond, timed } from '../rigs/measure.ts'
import type { Aim, BenchContext, BenchRow } from '../row.ts'

const isSmall = process.env.BENCH_SMALL !== undefined
const HOSTS = isSmall ? 80 : 400
const ENTRIES = isSmall ? 200 : 1000
const ROUNDS = isSmall ? 3 : 15
const CALLS = 10
/** By then a server has planned each statement as often as it will, on a cluster for each shard. */
const WARM_ROUNDS = isSmall ? 1 : 20

/** A cluster on this machine beside one Postgres of the same programs, on the same world; nothing where Citus is not installed. */
export async function rows({ note }: BenchContext): Promise<BenchRow[]> {
  const programs = citusPrograms()
  if (programs === null) {
    note('Citus is not installed here')
    return []
  }
  const [server, cluster] = [await throwAwayPostgres([], programs), await throwAwayCluster(programs)]
  try {
    const databaseUrl = await joinedDatabase(cluster.urls, 'bench')
    const empty = await openStore({ dataDir: '', databaseUrl })
    await distribute(empty)
    await empty.close()
    const citus = await openStore({ dataDir: '', databaseUrl })
    const plain = await openStore({ dataDir: '', databaseUrl: server.url })
    const found = await compared(citus, plain, note)
    await citus.close()
    await plain.close()
    return found
  } finally {
    await cluster.stop()
    await server.stop()
  }
}

async function compared(citus: Store, plain: Store, note: (text: string) => void): Promise<BenchRow[]> {
  const routes = Array.from({ length: HOSTS * ROUTES_PER_HOST }, (_, n) =>
    routeOf(hostName(Math.floor(n / ROUTES_PER_HOST)), n % ROUTES_PER_HOST),
  )
  // As probers claim them where hosts are spread, for both alike.
  const parts = [...byShard(citus.dialect, routes, likelyIdOf).values()]
  for (const store of [citus, plain]) {
    note(`${HOSTS} hosts into ${store.dialect.name}`)
    for (const part of parts) await saveListings(store, { listings: part.map((route, n) => listingOf(route, n)) })
    await savesOf(store, parts, 1, 0)
    await sql`analyze`.execute(store.read)
  }
  const found: BenchRow[] = []
  for (const writers of [2, 4]) {
    note(`${writers} writers`)
    const saving = (store: Store) => {
      let round = writers * 1000
      return () => savesOf(store, parts, writers, round++)
    }
    const rates = await interleaved(ROUNDS, saving(citus), saving(plain))
    found.push({
      what: `entries saved by ${writers} writers, Citus`,
      measured: perSecond(rates.measured),
      limit: `${perSecond(rates.limit)} one Postgres`,
      ratio: rates.ratio,
      aim: { atLeast: 1 },
    })
  }
  const reading = async (what: string, aim: Aim, read: (store: Store) => () => Promise<number>): Promise<void> => {
    note(what)
    await interleaved(WARM_ROUNDS, read(citus), read(plain))
    const times = await interleaved(ROUNDS, read(citus), read(plain))
    found.push({
      what: `${what}, Citus`,
      measured: milliseconds(times.measured),
      limit: `${milliseconds(times.limit)} one Postgres`,
      ratio: times.ratio,
      aim,
    })
  }
  await reading('uncached host view', { below: 1.6 }, viewing)
  await reading('search', { below: 3 }, searching)
  return found
}

/** Entries a second: each writer saves one batch of hosts that lie together. */
async function savesOf(store: Store, parts: readonly (readonly RouteRef[])[], writers: number, round: number) {
  const batches = Array.from({ length: writers }, (_, writer) => {
    const part = parts[(round * writers + writer) % parts.length] ?? []
    return part.slice(0, ENTRIES).map((route, n) => probeOf(route, n, round))
  })
  const { ms } = await timed(() => Promise.all(batches.map((probes) => saveProbes(store, { probes }))))
  return batches.flat().length / (ms / 1000)
}

const directoryOf = (store: Store) => createDirectory({ store, sources: [], nowUs: () => Date.now() * 1000 })

const viewing = (store: Store) => async (): Promise<number> => {
  const directory = directoryOf(store)
  const { ms } = await timed(async () => {
    for (let n = 0; n < CALLS; n++) await directory.hostView(hostName((n * 37) % HOSTS), { limit: 50, cursor: null })
  })
  return ms / CALLS
}

const searching = (store: Store) => async (): Promise<number> => {
  const directory = directoryOf(store)
  const all = { rail: null, network: null, maxPrice: null, result: null, sort: 'match', cursor: null } as const
  const { ms } = await timed(async () => {
    for (let n = 0; n < CALLS; n++) await directory.hosts({ ...all, q: `seller-${(n * 37) % HOSTS} tools`, limit: 50 })
  })
  return ms / CALLS
}
