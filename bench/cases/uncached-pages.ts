import { openStore } from '../../src/store/open.ts'
import { NO_EVIDENCE } from '../../src/store/transfer/evidence.ts'
import { saveEvidence } from '../../src/store/transfer/save-evidence.ts'
import { type Asked, BesideBare } from '../rigs/beside-bare.ts'
import { listingOf, probeOf, routeOf } from '../rigs/data.ts'
import type { BenchEngine } from '../rigs/engines.ts'
import { ownServer } from '../rigs/own-server.ts'
import type { BenchContext, BenchRow } from '../row.ts'

/** Hosts of each size. */
const HOSTS = 100
const SIZES = [2, 10, 50] as const
const ENTRIES_EACH = 20
const HOW = { connections: 4, rounds: 15, roundMs: 300 } as const
const HTML = { accept: 'text/html', 'accept-encoding': 'gzip, deflate' }
const JSON_WANTED = { accept: 'application/json', 'accept-encoding': 'gzip, deflate' }

const nameOf = (size: number, n: number): string => `seller-${n}.of-${size}.bench.example`
const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n)
const hostPaths = (size: number): string[] => numbers(HOSTS).map((n) => `/hosts/${nameOf(size, n)}`)

const query = (values: Readonly<Record<string, string>>): string => new URLSearchParams(values).toString()

/** The first route of each host of ten. */
const routes = numbers(HOSTS).map((n) => routeOf(nameOf(10, n), 0))
const routePaths = routes.map(({ host, method, path, rail }) => `/hosts/${host}/route?${query({ method, path, rail })}`)
const decidePaths = routes.map(
  ({ scheme, host, method, path, rail }) =>
    `/v1/decide?${query({ method, url: `${scheme}://${host}${path.replace('{id}', '7')}`, rail })}`,
)

type Page = Pick<Asked, 'what' | 'paths' | 'headers' | 'atLeast'>

/** The aims are those of SQLite; Postgres, which is asked over a connection, is to reach half of them. */
const PAGES: readonly Page[] = [
  { what: 'page of a host of 2 routes', paths: hostPaths(2), headers: HTML, atLeast: 0.15 },
  { what: 'JSON of a host of 2 routes', paths: hostPaths(2), headers: JSON_WANTED, atLeast: 0.2 },
  { what: 'page of a host of 10 routes', paths: hostPaths(10), headers: HTML, atLeast: 0.1 },
  { what: 'JSON of a host of 10 routes', paths: hostPaths(10), headers: JSON_WANTED, atLeast: 0.1 },
  { what: 'page of a host of 50 routes', paths: hostPaths(50), headers: HTML, atLeast: 0.05 },
  { what: 'JSON of a host of 50 routes', paths: hostPaths(50), headers: JSON_WANTED, atLeast: 0.05 },
  { what: 'home page', paths: numbers(8).map((n) => `/?limit=${50 - n}`), headers: HTML, atLeast: 0.1 },
  { what: 'search', paths: numbers(HOSTS).map((n) => `/?q=seller+${n}`), headers: HTML, atLeast: 0.1 },
  { what: 'page of a route', paths: routePaths, headers: HTML, atLeast: 0.1 },
  { what: 'decide', paths: decidePaths, headers: JSON_WANTED, atLeast: 0.1 },
]

/** Pages that nobody has asked for, held against a bare server that sends the same bytes. */
export async function rows({ engines, note }: BenchContext): Promise<BenchRow[]> {
  const found: BenchRow[] = []
  for (const engine of engines) found.push(...(await on(engine, note)))
  return found
}

async function on(engine: BenchEngine, note: (text: string) => void): Promise<BenchRow[]> {
  const options = await engine.fresh()
  const store = await openStore(options)
  for (const size of SIZES) {
    for (const n of numbers(HOSTS)) await saveEvidence(store, { ...NO_EVIDENCE, ...evidenceOf(nameOf(size, n), size) })
  }
  await store.close()
  const { dataDir, databaseUrl } = options
  const database = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }
  const server = await ownServer(dataDir, { ...database, CACHE_MB: '0' })
  const beside = new BesideBare(note)
  const part = engine.name === 'SQLite' ? 1 : 0.5
  const found: BenchRow[] = []
  try {
    for (const { what, atLeast, ...asked } of PAGES) {
      const named = { what: `uncached ${what}, ${engine.name}`, atLeast: atLeast * part }
      found.push(await beside.compare(server.port, { ...HOW, ...asked, ...named }))
    }
  } finally {
    await beside.end()
    await server.stop()
  }
  return found
}

function evidenceOf(host: string, size: number) {
  const routes = numbers(size).map((n) => routeOf(host, n))
  return {
    listings: routes.map((route, n) => listingOf(route, n)),
    probes: routes.flatMap((route, n) => numbers(ENTRIES_EACH).map((entry) => probeOf(route, n, entry))),
  }
}
