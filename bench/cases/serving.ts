import { readFile } from 'node:fs/promises'
import { openStore } from '../../src/store/open.ts'
import { NO_EVIDENCE } from '../../src/store/transfer/evidence.ts'
import { saveEvidence } from '../../src/store/transfer/save-evidence.ts'
import { askOnce } from '../rigs/beside-bare.ts'
import { child } from '../rigs/child.ts'
import { listingOf, probeOf, routeOf } from '../rigs/data.ts'
import type { BenchEngine } from '../rigs/engines.ts'
import type { Load, Loaded } from '../rigs/load/load.ts'
import { requestText } from '../rigs/load/requests.ts'
import { median, megabytes, milliseconds } from '../rigs/measure.ts'
import { ownServer } from '../rigs/own-server.ts'
import type { BenchContext, BenchRow } from '../row.ts'

const HOSTS = 550
const ROUTES = 10
const ENTRIES = 20
const STARTS = 5
const START_MS = 800
const LOAD_MS = 30_000
const CONNECTIONS = 32
const MOST_BYTES = 250 * 1024 * 1024

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n)
const nameOf = (n: number): string => `seller-${n}.bench.example`

/** How soon a program answers after it was started, and the most memory that it holds while everything is asked of it. */
export async function rows({ engines, note }: BenchContext): Promise<BenchRow[]> {
  const found: BenchRow[] = []
  for (const engine of engines) found.push(...(await on(engine, note)))
  return found
}

async function on(engine: BenchEngine, note: (text: string) => void): Promise<BenchRow[]> {
  const { dataDir, databaseUrl } = await filled(engine)
  const database = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }
  const starts: number[] = []
  for (let start = 0; start < STARTS; start += 1) {
    const began = performance.now()
    const server = await ownServer(dataDir, database)
    await askOnce(server.port, `/hosts/${nameOf(start)}`, { accept: 'application/json' })
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
    const peak = await peakBytes(server.pid)
    return [
      {
        what: `first answer after a start, ${engine.name}`,
        measured: milliseconds(first),
        limit: `${milliseconds(START_MS)} promised`,
        ratio: first / START_MS,
        aim: { below: 1 },
      },
      ...(peak === undefined
        ? []
        : [
            {
              what: `peak memory while everything is asked for, ${engine.name}`,
              measured: megabytes(peak),
              limit: `${megabytes(MOST_BYTES)} promised`,
              ratio: peak / MOST_BYTES,
              aim: { below: 1 },
            },
          ]),
    ]
  } finally {
    await client.end()
    await server.stop()
  }
}

async function filled(engine: BenchEngine) {
  const options = await engine.fresh()
  const store = await openStore(options)
  for (const n of numbers(HOSTS)) {
    const routes = numbers(ROUTES).map((route) => routeOf(nameOf(n), route))
    await saveEvidence(store, {
      ...NO_EVIDENCE,
      listings: routes.map((route, at) => listingOf(route, at)),
      probes: routes.flatMap((route, at) => numbers(ENTRIES).map((entry) => probeOf(route, at, entry))),
    })
  }
  await store.close()
  return options
}

/** Every host as a page, JSON and Markdown, its lists, its routes, searches and decisions, in turn. */
function mixedRequests(): string[] {
  const ofHost = (n: number): string[] => {
    const host = nameOf(n)
    const { method, path, rail, scheme } = routeOf(host, n % ROUTES)
    const query = (values: Readonly<Record<string, string>>): string => new URLSearchParams(values).toString()
    const url = `${scheme}://${host}${path.replace('{id}', '7')}`
    return [
      ...[`/hosts/${host}?format=html`, `/hosts/${host}?format=json`, `/hosts/${host}?format=md`],
      ...[`/hosts/${host}/probes?format=html`, `/hosts/${host}/route?${query({ method, path, rail })}`],
      ...[`/?q=seller+${n}`, `/?limit=${(n % 50) + 1}`, `/v1/decide?${query({ method, url, rail })}`],
    ]
  }
  return numbers(HOSTS)
    .flatMap(ofHost)
    .map((path) => requestText(path))
}

/** Linux alone tells. */
async function peakBytes(pid: number): Promise<number | undefined> {
  try {
    const kilobytes = /VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
  } catch {
    return undefined
  }
}
