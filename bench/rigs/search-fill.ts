import { hostKey, routeKey } from '../../src/domain/keys.ts'
import { networkKey } from '../../src/domain/network.ts'
import { DAY_US } from '../../src/domain/time/day.ts'
import type { ListingInput } from '../../src/store/facts/listings.ts'
import { PLACES, type Place } from '../../src/store/search/found-words.ts'
import type { Row } from '../../src/store/sql/dialect.ts'
import type { Store } from '../../src/store/store.ts'
import { type AsideTable, setAside } from './aside.ts'
import { hostWords, newWordRows } from './host-words.ts'

const key = { host_id: 'int', route_id: 'int' } as const
const TABLES = {
  hosts: { columns: { host_id: 'int', name: 'text' }, key: 'host_id' },
  host_counters: {
    columns: {
      ...{ host_id: 'int', version: 'int', routes: 'int', answers: 'int', correct_402: 'int', failed: 'int' },
      ...{ unreachable: 'int', newest_probe_us: 'int', newest_402_us: 'int', reviews_verified: 'int' },
      ...{ reviews_signed: 'int', reviews_unsigned: 'int', reviews_excluded: 'int', reviews: 'int', posts: 'int' },
      ...{ price_min: 'int' },
    },
    key: 'host_id',
  },
  routes: { columns: { ...key, scheme: 'text', method: 'text', path: 'text', rail: 'text' }, key: 'host_id, route_id' },
  route_state: {
    columns: {
      ...{ ...key, price: 'int', network: 'text', probe_status: 'text', probes: 'int', reviews: 'int', listed: 'int' },
    },
    key: 'host_id, route_id',
  },
  listings: {
    columns: {
      ...{
        ...key,
        source: 'text',
        price: 'int',
        network: 'text',
        network_key: 'text',
        first_us: 'int',
        last_us: 'int',
      },
    },
    key: 'host_id, route_id, source, price, network',
  },
  descriptions: { columns: { ...key, source: 'text', text: 'text' }, key: 'host_id, route_id, source' },
  search_words: { columns: { word: 'text' }, key: 'word' },
  search_grams: { columns: { gram: 'text', length: 'int', word: 'text' }, key: 'gram, length, word' },
  search_places: { columns: { word: 'text', host_id: 'int', place: 'int' }, key: 'word, host_id' },
} as const satisfies Readonly<Record<string, AsideTable>>
type TableName = keyof typeof TABLES
const NAMES: readonly TableName[] = Object.keys(TABLES).filter((name): name is TableName => name in TABLES)

const HOSTS_A_STEP = 2_000
const NEWEST_US = Date.UTC(2026, 10, 14) * 1000

/**
 * Fills an empty store with the rows that saving these listings one batch after the other would leave, in the order of
 * their keys and with the other indexes made at the end: a million hosts in minutes and not in hours.
 */
export async function fillAtOnce(
  store: Store,
  hosts: number,
  listingsOf: (n: number) => readonly ListingInput[],
): Promise<void> {
  const aside = await setAside(store, TABLES)
  const known = new Set<string>()
  for (let from = 0; from < hosts; from += HOSTS_A_STEP) {
    const rows = new Rows(known)
    for (let n = from; n < Math.min(hosts, from + HOSTS_A_STEP); n++) rows.add(n, listingsOf(n))
    await store.write(async (writer) => {
      for (const name of NAMES) await aside.put(writer, name, rows.of(name))
    })
  }
  await aside.end()
}

/** The rows of some hosts. Words are shared by all hosts: `known` has those that others brought. */
class Rows {
  readonly #rows = new Map<TableName, Row[]>(NAMES.map((name) => [name, []]))
  readonly #known: Set<string>

  constructor(known: Set<string>) {
    this.#known = known
  }

  of(name: TableName): readonly Row[] {
    return this.#rows.get(name) ?? []
  }

  #add(name: TableName, ...row: Row): void {
    this.#rows.get(name)?.push(row)
  }

  add(n: number, listings: readonly ListingInput[]): void {
    const host = listings[0]?.host ?? ''
    const hostId = hostKey(host)
    const newest = NEWEST_US - (n % 365) * DAY_US
    const requested = n % 3 === 0 ? newest : null
    const reviewed = n % 100 === 0 ? 1 : 0
    const cheapest = Math.min(...listings.flatMap(({ price }) => (price === null ? [] : [price])))
    this.#add('hosts', hostId, host)
    const counts = [listings.length, 1, requested === null ? 0 : 1, n % 7 === 0 ? 1 : 0, n % 1000 === 0 ? 1 : 0]
    this.#add('host_counters', hostId, 1, ...counts, newest, requested, reviewed, 0, 0, 0, reviewed, 0, cheapest)
    for (const listing of listings) {
      const at = [hostId, routeKey(listing)]
      const network = listing.network ?? ''
      this.#add('routes', ...at, listing.scheme, listing.method, listing.path, listing.rail)
      this.#add('route_state', ...at, listing.price, listing.network, 'unverified', 0, 0, 1)
      const { source, price, firstUs, lastUs, description } = listing
      this.#add('listings', ...at, source, price ?? -1, network, networkKey(network), firstUs, lastUs)
      if (description) this.#add('descriptions', ...at, source, description)
    }
    for (const [word, place] of hostWords(host, listings)) this.#word(word, hostId, place)
  }

  #word(word: string, hostId: number, place: Place): void {
    this.#add('search_places', word, hostId, place)
    if (place === PLACES.facet || this.#known.has(word)) return
    this.#known.add(word)
    const rows = newWordRows(word)
    this.#add('search_words', ...rows.word)
    for (const gram of rows.grams) this.#add('search_grams', ...gram)
  }
}
