import { sql } from 'kysely'
import { hostKey } from '../src/domain/keys.ts'
import { NO_EVIDENCE } from '../src/store/evidence.ts'
import { openStore } from '../src/store/open.ts'
import { saveEvidence } from '../src/store/save.ts'
import type { Store } from '../src/store/store.ts'
import type { HostQuery } from '../src/views/hosts-view.ts'
import { directoryOf } from '../src/views/open-directory.ts'
import type { BenchEngine } from './engines.ts'
import { milliseconds, timed } from './measure.ts'
import type { BenchContext, BenchRow } from './row.ts'
import { searchedHost, searchedListings, searchText } from './search-words.ts'

const isSmall = process.env.BENCH_SMALL !== undefined
const HOSTS = isSmall ? 2_000 : 100_000
const HOSTS_A_BATCH = 500
const SEARCHES = isSmall ? 200 : 2_000

/** What searching costs beside reading one row by its key: the slowest of a hundred, over all kinds of searches. */
export async function rows({ engines, note }: BenchContext): Promise<BenchRow[]> {
  const found: BenchRow[] = []
  for (const engine of engines) {
    note(`${HOSTS} hosts into ${engine.name}`)
    const store = await filledStore(engine)
    note(`${SEARCHES} searches`)
    const times = await searching(store)
    await store.close()
    found.push({
      what: `search of ${HOSTS.toLocaleString('en-US')} hosts, p99, ${engine.name}`,
      measured: milliseconds(p99(times.searches)),
      limit: `${milliseconds(p99(times.reads))} primary-key read`,
      ratio: p99(times.searches) / p99(times.reads),
      aim: null,
    })
  }
  return found
}

const p99 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN

async function filledStore(engine: BenchEngine): Promise<Store> {
  const store = await openStore(await engine.fresh())
  for (let from = 0; from < HOSTS; from += HOSTS_A_BATCH) {
    const listings = Array.from({ length: HOSTS_A_BATCH }, (_, n) => searchedListings(from + n, HOSTS)).flat()
    await saveEvidence(store, { ...NO_EVIDENCE, listings })
  }
  // What a server that has run for a while has done by itself.
  if (store.dialect.engine === 'postgres') await sql`analyze`.execute(store.read)
  return store
}

/** Each search beside a read, so that both meet the same machine. */
async function searching(store: Store): Promise<{ searches: number[]; reads: number[] }> {
  const directory = directoryOf(store)
  const query = { rail: null, network: null, maxPrice: null, result: null, sort: 'match', cursor: null } as const
  const search = (n: number) => {
    const asked: HostQuery = { ...query, q: searchText(n, HOSTS), limit: 50 }
    return directory.hosts(asked)
  }
  const read = (n: number) => {
    const hostId = hostKey(searchedHost((n * 104_729) % HOSTS))
    return store.read.selectFrom('host_counters').selectAll().where('host_id', '=', hostId).executeTakeFirst()
  }
  const times = { searches: [] as number[], reads: [] as number[] }
  for (let n = 0; n < SEARCHES; n++) {
    times.searches.push((await timed(() => search(n))).ms)
    times.reads.push((await timed(() => read(n))).ms)
  }
  return times
}
