import { sql } from 'kysely'
import { NO_EVIDENCE } from '../src/store/evidence.ts'
import { openStore } from '../src/store/open.ts'
import { saveEvidence } from '../src/store/save.ts'
import type { Store } from '../src/store/store.ts'
import type { Directory } from '../src/views/directory.ts'
import { directoryOf } from '../src/views/open-directory.ts'
import { hostName, listingOf, probeOf, routeOf } from './data.ts'
import { interleaved, milliseconds, timed } from './measure.ts'
import type { BenchContext, BenchRow } from './row.ts'

interface Size {
  readonly host: string
  readonly routes: number
  readonly entriesPerRoute: number
  /** Latencies lie between 0 and this. */
  readonly slowestMs: number
}

const LARGE: Size = { host: 'large.bench.example', routes: 5000, entriesPerRoute: 200, slowestMs: 10_000 }
const SMALL: Size = { host: 'small.bench.example', routes: 50, entriesPerRoute: 20, slowestMs: 1500 }

const BATCH = 5000
const ROUNDS = 9
const CALLS_PER_ROUND = 30
/** On a host view. */
const ROUTES_SHOWN = 50
const ENTRIES_SHOWN = 5

/** What a page costs when no cached bytes stand: the view of a host grown large beside that of a small one. */
export async function rows({ engines, note }: BenchContext): Promise<BenchRow[]> {
  const found: BenchRow[] = []
  for (const engine of engines) {
    const store = await openStore(await engine.fresh())
    note(`a host of ${LARGE.routes * LARGE.entriesPerRoute} entries into ${engine.name}`)
    await fill(store)
    const directory = directoryOf(store)
    const compare = async (what: string, limit: number): Promise<void> => {
      note(`${what}, ${engine.name}`)
      const times = await interleaved(ROUNDS, viewing(directory, LARGE, limit), viewing(directory, SMALL, limit))
      found.push({
        what: `${what}, ${engine.name}`,
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
const viewing =
  (directory: Directory, size: Size, limit: number) =>
  async (): Promise<number> => {
    const { ms } = await timed(async () => {
      for (let call = 0; call < CALLS_PER_ROUND; call++) await directory.hostView(size.host, { limit, cursor: null })
    })
    return ms / CALLS_PER_ROUND
  }

const ORDINARY_HOSTS = 200
const ORDINARY: Omit<Size, 'host'> = { routes: 25, entriesPerRoute: 20, slowestMs: 1500 }

async function fill(store: Store): Promise<void> {
  // Some neighbours, so that the planner does not take one host for the whole table.
  for (let n = 0; n < ORDINARY_HOSTS; n++) await save(store, { host: hostName(n), ...ORDINARY })
  await save(store, SMALL)
  await save(store, LARGE)
  // What a server that has run for a while has done by itself.
  if (store.dialect.engine === 'postgres') await sql`analyze`.execute(store.read)
}

/** Rounds of probes in the order of time, all routes in each; challenges on the entries that pages show. */
async function save(store: Store, { host, routes, entriesPerRoute, slowestMs }: Size): Promise<void> {
  const all = Array.from({ length: routes }, (_, n) => routeOf(host, n))
  await saveEvidence(store, { ...NO_EVIDENCE, listings: all.map((route, n) => listingOf(route, n)) })
  const roundsPerBatch = Math.max(1, Math.floor(BATCH / routes))
  for (let from = 0; from < entriesPerRoute; from += roundsPerBatch) {
    const entries = Array.from({ length: Math.min(roundsPerBatch, entriesPerRoute - from) }, (_, at) => from + at)
    const probes = entries.flatMap((entry) =>
      all.map((route, n) => {
        const latencyMs = ((n * entriesPerRoute + entry) * 7919) % (slowestMs + 1)
        const probe = probeOf(route, n, entry, latencyMs)
        return entry < entriesPerRoute - ENTRIES_SHOWN ? { ...probe, challenge: null } : probe
      }),
    )
    await saveEvidence(store, { ...NO_EVIDENCE, probes })
  }
}
