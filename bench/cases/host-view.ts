import { sql } from 'kysely'
import { saveListings } from '../../src/store/facts/save-listings.ts'
import type { RouteRef } from '../../src/store/hosts/route-ref.ts'
import { openStore } from '../../src/store/open.ts'
import { saveProbes } from '../../src/store/probes/save-probes.ts'
import type { Store } from '../../src/store/store.ts'
import type { Directory } from '../../src/views/directory.ts'
import { createDirectory } from '../../src/views/open-directory.ts'
import { hostName, listingOf, probeOf, routeOf } from '../rigs/data.ts'
import type { BenchEngine } from '../rigs/engines.ts'
import { interleaved, milliseconds, timed } from '../rigs/measure.ts'
import type { BenchContext, BenchRow } from '../row.ts'

interface Size {
  readonly host: string
  readonly routes: number
  readonly entriesPerRoute: number
  /** Latencies lie between 0 and this. */
  readonly slowestMs: number
}

const LARGE: Size = { host: 'large.bench.example', routes: 5000, entriesPerRoute: 200, slowestMs: 10_000 }
const SMALL: Size = { host: 'small.bench.example', routes: 50, entriesPerRoute: 20, slowestMs: 1500 }

/** 5,000 entries. */
const ROUTES_PER_BATCH = 250
const ENTRIES_PER_BATCH = 20
/** Many and short: what else the machine does then meets both sides alike. */
const ROUNDS = 41
const CALLS_PER_ROUND = 5
/** On a host view. */
const ROUTES_SHOWN = 50
const ENTRIES_SHOWN = 5

/** What a page costs when no cached bytes stand: the view of a host grown large beside that of a small one. */
export async function rows({ engines, note }: BenchContext): Promise<BenchRow[]> {
  note(
    `a host of ${LARGE.routes * LARGE.entriesPerRoute} entries into ${engines.map(({ name }) => name).join(' and ')}`,
  )
  // Side by side, since each waits for its engine half of the time; measured one after the other.
  const filled = await Promise.all(
    engines.map(async (engine) => ({ name: engine.name, store: await filledStore(engine) })),
  )
  const found: BenchRow[] = []
  for (const { name, store } of filled) {
    const directory = createDirectory({ store, sources: [], nowUs: () => Date.now() * 1000 })
    const compare = async (what: string, limit: number): Promise<void> => {
      note(`${what}, ${name}`)
      const times = await interleaved(ROUNDS, viewing(directory, LARGE, limit), viewing(directory, SMALL, limit))
      found.push({
        what: `${what}, ${name}`,
        measured: milliseconds(times.measured),
        limit: `${milliseconds(times.limit)} small host`,
        ratio: times.ratio,
        aim: { below: 3 },
      })
    }
    await compare('uncached view of a large host', ROUTES_SHOWN)
    await compare('its summary and one route', 1)
    await store.close()
  }
  return found
}

/** Milliseconds per uncached view. */
const viewing = (directory: Directory, size: Size, limit: number) => async (): Promise<number> => {
  const { ms } = await timed(async () => {
    for (let call = 0; call < CALLS_PER_ROUND; call++) await directory.hostView(size.host, { limit, cursor: null })
  })
  return ms / CALLS_PER_ROUND
}

const ORDINARY_HOSTS = 200
const ORDINARY_ROUTES = 25

async function filledStore(engine: BenchEngine): Promise<Store> {
  const store = await openStore(await engine.fresh())
  // Neighbours, so that the planner does not take one host for the whole table.
  const neighbours = Array.from({ length: ORDINARY_HOSTS }, (_, n) => routesOf(hostName(n), ORDINARY_ROUTES)).flat()
  await save(store, neighbours, SMALL)
  await save(store, routesOf(SMALL.host, SMALL.routes), SMALL)
  await save(store, routesOf(LARGE.host, LARGE.routes), LARGE)
  // What a server that has run for a while has done by itself.
  if (store.dialect.engine === 'postgres') await sql`analyze`.execute(store.read)
  return store
}

const routesOf = (host: string, routes: number): RouteRef[] =>
  Array.from({ length: routes }, (_, n) => routeOf(host, n))

/** Some rounds of probes of some routes make a batch; batches go through time. Challenges on the entries that pages show. */
async function save(store: Store, routes: readonly RouteRef[], { entriesPerRoute, slowestMs }: Size): Promise<void> {
  const numbered = routes.map((route, n) => ({ route, n }))
  await saveListings(store, { listings: numbered.map(({ route, n }) => listingOf(route, n)) })
  const shownFrom = entriesPerRoute - ENTRIES_SHOWN
  for (let from = 0; from < entriesPerRoute; from += ENTRIES_PER_BATCH) {
    const entries = Array.from({ length: ENTRIES_PER_BATCH }, (_, at) => from + at)
    for (let first = 0; first < routes.length; first += ROUTES_PER_BATCH) {
      const probes = numbered.slice(first, first + ROUTES_PER_BATCH).flatMap(({ route, n }) =>
        entries.map((entry) => {
          const latencyMs = ((n * entriesPerRoute + entry) * 7919) % (slowestMs + 1)
          const probe = probeOf(route, n, entry, latencyMs)
          return entry < shownFrom ? { ...probe, challenge: null } : probe
        }),
      )
      await saveProbes(store, { probes })
    }
  }
}
