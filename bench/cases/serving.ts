import type { RouteRef } from '../../src/store/hosts/route-ref.ts'
import { openStore, type StoreOptions } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { NO_EVIDENCE } from '../../src/store/transfer/evidence.ts'
import { saveEvidence } from '../../src/store/transfer/save-evidence.ts'
import { askOnce } from '../rigs/beside-bare.ts'
import { child } from '../rigs/child.ts'
import { listingOf, probeOf, routeOf } from '../rigs/data.ts'
import type { BenchEngine } from '../rigs/engines.ts'
import type { Load, Loaded } from '../rigs/load/load.ts'
import { requestText } from '../rigs/load/requests.ts'
import { count, median, megabytes, milliseconds } from '../rigs/measure.ts'
import { ownServer } from '../rigs/own-server.ts'
import { peakOf } from '../rigs/peak-memory.ts'
import { searchedListings, searchText } from '../rigs/search-words.ts'
import { searchedStore } from '../rigs/searched-store.ts'
import type { BenchContext, BenchRow } from '../row.ts'

const STARTS = 5
const START_MS = 800
const LOAD_MS = 30_000
const CONNECTIONS = 32
const MEGABYTE = 1024 * 1024
/** Hosts that are asked for, where there are more. */
const MOST_ASKED = 5_500

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n)

/** What is served, what of it is asked for, and the memory that is promised for that. */
interface Served {
  readonly hosts: number
  readonly name: string
  readonly mostBytes: number
  fill(options: StoreOptions): Promise<Store>
  /** One route of the `n`th host, and what somebody types who looks for that. */
  routeOf(n: number): RouteRef
  searchOf(n: number): string
}

const ROUTES = 10
const ENTRIES = 20
const nameOf = (n: number): string => `seller-${n}.bench.example`

const WITH_ENTRIES: Served = {
  hosts: 550,
  name: '',
  mostBytes: 250 * MEGABYTE,
  routeOf: (n) => routeOf(nameOf(n), n % ROUTES),
  searchOf: (n) => `seller ${n}`,
  fill: async (options) => {
    const store = await openStore(options)
    for (const n of numbers(WITH_ENTRIES.hosts)) {
      const routes = numbers(ROUTES).map((route) => routeOf(nameOf(n), route))
      await saveEvidence(store, {
        ...NO_EVIDENCE,
        listings: routes.map((route, at) => listingOf(route, at)),
        probes: routes.flatMap((route, at) => numbers(ENTRIES).map((entry) => probeOf(route, at, entry))),
      })
    }
    return store
  },
}

/** Three described routes a host, without entries. */
const withWords = (hosts: number): Served => ({
  hosts,
  name: ` of ${count(hosts)} hosts`,
  mostBytes: 600 * MEGABYTE,
  routeOf: (n) => {
    const listings = searchedListings(n, hosts)
    const listing = listings[n % listings.length]
    if (listing === undefined) throw new Error(`host ${n} has no route`)
    return listing
  },
  searchOf: (n) => searchText(n, hosts),
  fill: (options) => searchedStore(options, hosts),
})

/** `BENCH_HOSTS=1000000` asks for the memory that a million hosts take. */
const SERVED = process.env.BENCH_HOSTS === undefined ? WITH_ENTRIES : withWords(Number(process.env.BENCH_HOSTS))

/** How soon a program answers after it was started, and the most memory that it holds while everything is asked of it. */
export async function rows({ engines, note }: BenchContext): Promise<BenchRow[]> {
  const found: BenchRow[] = []
  for (const engine of engines) found.push(...(await on(engine, note)))
  return found
}

async function on(engine: BenchEngine, note: (text: string) => void): Promise<BenchRow[]> {
  const options = await engine.fresh()
  const filled = await SERVED.fill(options)
  await filled.close()
  const { dataDir, databaseUrl } = options
  const database = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }
  const starts: number[] = []
  for (let start = 0; start < STARTS; start += 1) {
    const began = performance.now()
    const server = await ownServer(dataDir, database)
    await askOnce(server.port, `/hosts/${SERVED.routeOf(start).host}`, { accept: 'application/json' })
    starts.push(performance.now() - began)
    await server.stop()
  }
  const first = median(starts)
  const server = await ownServer(dataDir, database)
  const client = child<Load, Loaded>(new URL('../children/load-client.js', import.meta.url))
  try {
    const { answers } = await client.ask({
      ...{ port: server.port, request: mixedRequests(), status: 200, connections: CONNECTIONS, ms: LOAD_MS },
    })
    note(`${answers} answers of all kinds, ${engine.name}`)
    const peak = peakOf(server.pid)
    return [
      {
        what: `first answer after a start${SERVED.name}, ${engine.name}`,
        measured: milliseconds(first),
        limit: `${milliseconds(START_MS)} promised`,
        ratio: first / START_MS,
        aim: { below: 1 },
      },
      ...(peak === undefined
        ? []
        : [
            {
              what: `peak memory while everything is asked for${SERVED.name}, ${engine.name}`,
              measured: megabytes(peak),
              limit: `${megabytes(SERVED.mostBytes)} promised`,
              ratio: peak / SERVED.mostBytes,
              aim: { below: 1 },
            },
          ]),
    ]
  } finally {
    await client.end()
    await server.stop()
  }
}

/** Hosts as pages, JSON and Markdown, their lists, a route of each, searches and decisions, in turn. */
function mixedRequests(): string[] {
  const ofHost = (n: number): string[] => {
    const { host, method, path, rail, scheme } = SERVED.routeOf(n)
    const query = (values: Readonly<Record<string, string>>): string => new URLSearchParams(values).toString()
    const url = `${scheme}://${host}${path.replace('{id}', '7')}`
    return [
      ...[`/hosts/${host}?format=html`, `/hosts/${host}?format=json`, `/hosts/${host}?format=md`],
      ...[`/hosts/${host}/probes?format=html`, `/hosts/${host}/route?${query({ method, path, rail })}`],
      ...[
        `/?${query({ q: SERVED.searchOf(n) })}`,
        `/?limit=${(n % 50) + 1}`,
        `/v1/decide?${query({ method, url, rail })}`,
      ],
    ]
  }
  const asked = Math.min(SERVED.hosts, MOST_ASKED)
  return numbers(asked)
    .flatMap((n) => ofHost(Math.floor((n * SERVED.hosts) / asked)))
    .map((path) => requestText(path))
}
