import { sql } from 'kysely'
import { networkKey } from '../../domain/network.ts'
import { describedWords, gramsOf, isTypeable, nameWords, pathWords, wordsOf } from '../../domain/words/search.ts'
import type { Writer } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { isThere } from '../sql/retired.ts'
import { RowsStatement } from '../sql/rows-statement.ts'
import { firstDescriptions } from './first-descriptions.ts'
import type { HostFilter } from './read-hosts.ts'

/** Where a host has a word, as it is stored. */
export const PLACES = { name: 5, path: 2, source: 1, description: 3, facet: 0 } as const
export type Place = (typeof PLACES)[keyof typeof PLACES]

/**
 * Rails and networks stand among the words, so that those which few hosts have are found like a rare word. No word that
 * somebody types begins like them.
 */
const FACET = ':'
const railFacet = (rail: string): string => `${FACET}rail:${rail}`
const networkFacet = (key: string): string => `${FACET}network:${key}`

export const facetsOf = ({ rail, networkKey: key }: Pick<HostFilter, 'rail' | 'networkKey'>): string[] => [
  ...(rail === null ? [] : [railFacet(rail)]),
  ...(key === null ? [] : [networkFacet(key)]),
]

/** How much a word counts by its place. The weightiest place of a word counts; prose is weaker than what is called. */
const WEIGHTS: ReadonlyMap<number, number> = new Map([
  [PLACES.name, 10],
  [PLACES.path, 4],
  [PLACES.description, 3],
  [PLACES.source, 2],
])

export const weightOf = (place: number): number => WEIGHTS.get(place) ?? 0

/**
 * A host is found by the words of so many of its descriptions, and by so many words of them: one seller with thousands
 * of routes, or texts made of words, fills no more of the index than this.
 */
const MOST_DESCRIPTIONS = 200
const MOST_DESCRIBED_WORDS = 300

interface Found {
  readonly hostId: number
  readonly word: string
  readonly place: Place
}

const FIND_PLACES = new RowsStatement(
  (dialect, rows) => sql<{ host_id: number; word: string; place: number }>`select p.host_id, p.word, p.place
    from ${dialect.rows({ host_id: 'int', word: 'text' }, rows)} as v
    cross join search_places as p where p.word = v.word and p.host_id = v.host_id ${dialect.among('p.host_id', rows)}`,
)

const ADD_PLACES = new RowsStatement(
  (dialect, rows) => sql`insert into search_places (word, host_id, place)
    select word, host_id, place from ${dialect.hostRows({ word: 'text', host_id: 'int', place: 'int' }, rows)} as v where true
    on conflict (word, host_id) do update set place = excluded.place
      where search_places.place = ${sql.lit(PLACES.description)}`,
)

const FIND_WORDS = new RowsStatement(
  (dialect, rows) => sql<{ word: string }>`select w.word from ${dialect.rows({ word: 'text' }, rows)} as v
    cross join search_words as w where w.word = v.word`,
)

const ADD_WORDS = new RowsStatement(
  (dialect, rows) => sql<{ word: string }>`insert into search_words (word)
    select word from ${dialect.rows({ word: 'text' }, rows)} as v where true
    on conflict (word) do nothing returning word`,
)

const ADD_GRAMS = new RowsStatement(
  (dialect, rows) => sql`insert into search_grams (gram, length, word)
    select gram, length, word from ${dialect.rows({ gram: 'text', length: 'int', word: 'text' }, rows)} as v where true
    on conflict (gram, length, word) do nothing`,
)

/** The words that one transaction adds to the search index. */
export class FoundWords {
  readonly #found = new Map<string, Found>()
  readonly #described = new Set<number>()
  readonly #faceted = new Set<number>()
  readonly #doubtful = new Set<number>()

  addName(hostId: number, name: string): void {
    this.#add(hostId, nameWords(name), PLACES.name)
  }

  addPath(hostId: number, path: string): void {
    this.#add(hostId, pathWords(path), PLACES.path)
  }

  addRail(hostId: number, rail: string): void {
    this.#add(hostId, [railFacet(rail)], PLACES.facet)
  }

  /** `isNew`: of a route that was not known before. Of others the seller may have retired the one that is named. */
  addNetwork(hostId: number, network: string | null, isNew: boolean): void {
    if (network === null) return
    this.#add(hostId, [networkFacet(networkKey(network))], PLACES.facet)
    if (!isNew) this.#doubtful.add(hostId)
  }

  addSource(hostId: number, source: string): void {
    this.#add(hostId, wordsOf(source), PLACES.source)
  }

  /** Something is said differently of these hosts: what they are found by is read again from what is stored by then. */
  addDescribed(hostIds: Iterable<number>): void {
    for (const hostId of hostIds) this.#described.add(hostId)
  }

  /** Rows or routes of these hosts have gone or come again: rails and networks are read again from what is there by then. */
  addFaceted(hostIds: Iterable<number>): void {
    for (const hostId of hostIds) this.#faceted.add(hostId)
  }

  #add(hostId: number, words: readonly string[], place: Place): void {
    for (const word of words) {
      const key = `${hostId}/${word}`
      const known = this.#found.get(key)
      if (known === undefined || weightOf(known.place) < weightOf(place)) this.#found.set(key, { hostId, word, place })
    }
  }

  /**
   * Once the transaction holds its hosts. Words are shared by all hosts, so they come after everything that transactions
   * wait for, and in the order of their bytes: two of them never wait for each other in a circle.
   */
  async save(writer: Writer, dialect: Dialect): Promise<void> {
    await this.#describe(writer, dialect)
    await this.#facet(writer, dialect)
    const missing = await this.#missingAndThere(writer, dialect)
    if (missing.length === 0) return
    const words = [...new Set(missing.flatMap(({ word, place }) => (place === PLACES.facet ? [] : [word])))]
    await saveGrams(writer, dialect, await saveNewWords(writer, dialect, words))
    const rows = missing.toSorted(byWord).map(({ word, hostId, place }): Row => [word, hostId, place])
    await ADD_PLACES.runLater(writer, dialect, rows)
  }

  /**
   * Places of words that no description says any more are taken out, and new ones added. The words themselves stay known,
   * with nobody who has them: other transactions may be about to use them.
   */
  async #describe(writer: Writer, dialect: Dialect): Promise<void> {
    const hostIds = [...this.#described].sort((a, b) => a - b)
    if (hostIds.length === 0) return
    const texts = await firstDescriptions(writer, dialect, hostIds, MOST_DESCRIPTIONS)
    const wanted = new Map([...texts].map(([hostId, said]) => [hostId, wordsSaid(said.map(({ text }) => text))]))
    await this.#replace(writer, dialect, hostIds, PLACES.description, wanted)
  }

  /** Rails of routes that are there, and networks of rows that are still named. */
  async #facet(writer: Writer, dialect: Dialect): Promise<void> {
    const hostIds = [...this.#faceted].sort((a, b) => a - b)
    if (hostIds.length === 0) return
    const rows = hostIds.map((hostId): Row => [hostId])
    const asked = sql`${dialect.rows({ host_id: 'int' }, rows)} as v cross join`
    const rails = await sql<{ host_id: number; name: string }>`select distinct r.host_id, r.rail as name
      from ${asked} routes as r where r.host_id = v.host_id and ${isThere('r')}`.execute(writer)
    const networks = await sql<{ host_id: number; name: string }>`select distinct l.host_id, l.network_key as name
      from ${asked} listings as l where l.host_id = v.host_id and l.gone_us is null and l.network_key <> ''
        and ${isThere('l')}`.execute(writer)
    const wanted = new Map(hostIds.map((hostId) => [hostId, new Set<string>()]))
    for (const { host_id, name } of rails.rows) wanted.get(host_id)?.add(railFacet(name))
    for (const { host_id, name } of networks.rows) wanted.get(host_id)?.add(networkFacet(name))
    for (const [key, { hostId, word, place }] of this.#found)
      if (place === PLACES.facet && wanted.get(hostId)?.has(word) === false) this.#found.delete(key)
    await this.#replace(writer, dialect, hostIds, PLACES.facet, wanted)
  }

  /** What these hosts have in a place is this and nothing else. */
  async #replace(
    writer: Writer,
    dialect: Dialect,
    hostIds: readonly number[],
    place: Place,
    wanted: ReadonlyMap<number, ReadonlySet<string>>,
  ): Promise<void> {
    const rows = hostIds.map((hostId): Row => [hostId])
    const there = await sql<{ host_id: number; word: string }>`select p.host_id, p.word
      from ${dialect.rows({ host_id: 'int' }, rows)} as v cross join search_places as p
      where p.host_id = v.host_id and p.place = ${sql.lit(place)} ${dialect.among('p.host_id', hostIds)}`.execute(
      writer,
    )
    const gone = there.rows.filter(({ host_id, word }) => wanted.get(host_id)?.has(word) !== true)
    if (gone.length > 0) {
      const keys = gone.map(({ word, host_id }): Row => [word, host_id])
      await sql`delete from search_places where (word, host_id) in
        (select word, host_id from ${dialect.rows({ word: 'text', host_id: 'int' }, keys)} as v)`.execute(writer)
    }
    for (const [hostId, words] of wanted) this.#add(hostId, [...words], place)
  }

  /** What the index does not have, of networks only those where something is there: read where that is not sure. */
  async #missingAndThere(writer: Writer, dialect: Dialect): Promise<Found[]> {
    const missing = await this.#missing(writer, dialect)
    const unsure = missing.filter(({ hostId, place }) => place === PLACES.facet && this.#doubtful.has(hostId))
    if (unsure.every(({ hostId }) => this.#faceted.has(hostId))) return missing
    this.addFaceted(unsure.map(({ hostId }) => hostId))
    await this.#facet(writer, dialect)
    return await this.#missing(writer, dialect)
  }

  /** What the index does not have: a sweep names the same hosts again and again. */
  async #missing(writer: Writer, dialect: Dialect): Promise<Found[]> {
    if (this.#found.size === 0) return []
    const rows = [...this.#found.values()].map(({ word, hostId }): Row => [hostId, word])
    const known = await FIND_PLACES.run(writer, dialect, rows)
    const placeOf = new Map(known.map((row) => [`${row.host_id}/${row.word}`, row.place]))
    // What was only said is also called so now, and stays when it is no longer said.
    const isMissing = ([key, { place }]: [string, Found]): boolean => {
      const stored = placeOf.get(key)
      return stored === undefined || (stored === PLACES.description && place !== PLACES.description)
    }
    return [...this.#found].filter(isMissing).map(([, found]) => found)
  }
}

function wordsSaid(texts: readonly string[]): Set<string> {
  const words = new Set<string>()
  for (const text of texts) {
    for (const word of describedWords(text)) {
      if (words.size >= MOST_DESCRIBED_WORDS) return words
      words.add(word)
    }
  }
  return words
}

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
const byWord = (a: Found, b: Found): number => (a.word === b.word ? a.hostId - b.hostId : byBytes(a.word, b.word))

async function saveNewWords(writer: Writer, dialect: Dialect, words: readonly string[]): Promise<string[]> {
  const asked = words.map((word): Row => [word])
  const known = await FIND_WORDS.run(writer, dialect, asked)
  const there = new Set(known.map(({ word }) => word))
  const fresh = words.filter((word) => !there.has(word)).sort(byBytes)
  if (fresh.length === 0) return []
  const rows = fresh.map((word): Row => [word])
  return (await ADD_WORDS.run(writer, dialect, rows)).map(({ word }) => word)
}

async function saveGrams(writer: Writer, dialect: Dialect, words: readonly string[]): Promise<void> {
  const rows = words
    .filter(isTypeable)
    .flatMap((word) => gramsOf(word).map((gram): Row => [gram, [...word].length, word]))
  if (rows.length > 0) await ADD_GRAMS.runLater(writer, dialect, rows)
}
