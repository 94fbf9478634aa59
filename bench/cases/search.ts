import { sql } from 'kysely'
import { hostKey } from '../../src/domain/keys.ts'
import type { Store } from '../../src/store/store.ts'
import { HOST_SORTS, type HostQuery } from '../../src/views/host/hosts-view.ts'
import { createDirectory } from '../../src/views/open-directory.ts'
import { count, megabytes, milliseconds, timed } from '../rigs/measure.ts'
import { RARE_NETWORK, searchedHost, searchText } from '../rigs/search-words.ts'
import { searchedStore } from '../rigs/searched-store.ts'
import type { BenchContext, BenchRow } from '../row.ts'

const isSmall = process.env.BENCH_SMALL !== undefined
/** `BENCH_HOSTS=1000000` asks whether it still holds at a million. */
const HOSTS = Number(process.env.BENCH_HOSTS ?? (isSmall ? 2_000 : 100_000))
const SEARCHES = isSmall ? 200 : 2_000

/** What searching and browsing cost beside reading one row by its key: the slowest of a hundred, over all kinds of requests. */
export async function rows({ engines, note }: BenchContext): Promise<BenchRow[]> {
  const found: BenchRow[] = []
  for (const engine of engines) {
    note(`${HOSTS} hosts into ${engine.name}`)
    const built = await timed(async () => searchedStore(await engine.fresh(), HOSTS))
    const store = built.value
    note(`in ${Math.round(built.ms / 1000)} s; the search tables take ${megabytes(await searchBytes(store))}`)
    const hosts = `${count(HOSTS)} hosts, p99, ${engine.name}`
    for (const [what, asked] of [
      ['search of', searched],
      ['facets and orders of', browsed],
    ] as const) {
      note(`${SEARCHES} requests: ${what}`)
      const times = await asking(store, asked)
      found.push({
        what: `${what} ${hosts}`,
        measured: milliseconds(p99(times.asked)),
        limit: `${milliseconds(p99(times.reads))} primary-key read`,
        ratio: p99(times.asked) / p99(times.reads),
        aim: null,
      })
    }
    await store.close()
  }
  return found
}

const p99 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN

async function searchBytes({ dialect, read }: Store): Promise<number> {
  const tables = ['search_words', 'search_grams', 'search_places', 'search_places_by_host']
  const names = sql.join(tables)
  const found =
    dialect.engine === 'sqlite'
      ? await sql<{
          bytes: number
        }>`select sum(pgsize) as bytes from dbstat where aggregate = true and name in (${names})`.execute(read)
      : await sql<{ bytes: number }>`select sum(pg_indexes_size(oid) + pg_table_size(oid)) as bytes from pg_class
          where relname in (${names}) and relkind = 'r'`.execute(read)
  return found.rows[0]?.bytes ?? 0
}

const ALL = { q: null, rail: null, network: null, maxPrice: null, result: null, sort: 'host', cursor: null } as const

const searched = (n: number): HostQuery => ({ ...ALL, q: searchText(n, HOSTS), sort: 'match', limit: 50 })

/** Every order of the list, with every facet, with few and with no hosts that fit, and with a word that everybody has. */
function browsed(n: number): HostQuery {
  const facets: Partial<HostQuery>[] = [
    {},
    { q: 'api' },
    { rail: 'mpp' },
    { network: RARE_NETWORK },
    { network: 'solana' },
    { maxPrice: 10_000 },
    { maxPrice: 1 },
    { requested: 'day' },
    { result: 'unreachable' },
    { q: 'api', rail: 'mpp' },
  ]
  const sorts = HOST_SORTS.filter((sort) => sort !== 'match')
  const sort = sorts[n % sorts.length] ?? 'host'
  return { ...ALL, ...facets[Math.floor(n / sorts.length) % facets.length], sort, limit: 50 }
}

/** Each request beside a read, so that both meet the same machine. */
async function asking(
  store: Store,
  request: (n: number) => HostQuery,
): Promise<{ readonly asked: readonly number[]; readonly reads: readonly number[] }> {
  const directory = createDirectory({ store, sources: [], nowUs: () => Date.now() * 1000 })
  const read = (n: number) => {
    const hostId = hostKey(searchedHost((n * 104_729) % HOSTS))
    return store.read.selectFrom('host_counters').selectAll().where('host_id', '=', hostId).executeTakeFirst()
  }
  const asked: number[] = []
  const reads: number[] = []
  for (let n = 0; n < SEARCHES; n++) {
    asked.push((await timed(() => directory.hosts(request(n)))).ms)
    reads.push((await timed(() => read(n))).ms)
  }
  return { asked, reads }
}
