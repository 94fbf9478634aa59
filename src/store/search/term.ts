import { type RawBuilder, sql } from 'kysely'
import { stemOf } from '../../domain/words/asked.ts'
import { isTypeable } from '../../domain/words/search.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { type JsonRows, rowReader } from '../sql/json-rows.ts'
import { fromAllParts, fromParts, type StorePart } from '../sql/parts.ts'
import { RememberedStatement } from '../sql/remembered.ts'
import { RowsStatement } from '../sql/rows-statement.ts'
import type { Store } from '../store.ts'
import { weightOf } from './found-words.ts'
import { beginningWith, qualityOfBeginning } from './near-words.ts'
import { pacedNearWords } from './near-words-pace.ts'

/** A single letter means itself; of two letters on, words that begin with them are meant too. */
const SHORTEST_BEGINNING = 2

export interface PlaceRow {
  host_id: number
  word: string
  place: number
}

const PLACE_COLUMNS = { host_id: 'value', word: 'value', place: 'value' } as const

const placesIn = rowReader<PlaceRow>(PLACE_COLUMNS)

interface Places {
  readonly places: JsonRows<PlaceRow>
}

/** They may be hundreds: as one text they are read in a third of the time. */
const placesOf = (dialect: Dialect, asked: RawBuilder<unknown>): RawBuilder<Places> =>
  sql<Places>`select ${dialect.jsonRows(PLACE_COLUMNS, asked)} as places`

const BEGUN = { first: '', last: '', most: 0 }

/** In the order of the index: Postgres would go through the table until it had come upon so many, wherever they lie. */
const begunFrom = ({ first, last, most }: typeof BEGUN): RawBuilder<unknown> =>
  sql`from search_places as p where p.word >= ${first} and p.word <= ${last} order by p.word limit ${most}`

const READ_BEGUN = new RememberedStatement(BEGUN, (dialect, asked) =>
  placesOf(dialect, sql`select p.host_id, p.word, p.place ${begunFrom(asked)}`),
)

const COUNT_BEGUN = new RememberedStatement(
  BEGUN,
  (_, asked) => sql<{ n: number }>`select count(*) as n from (select 1 ${begunFrom(asked)}) as few`,
)

const READ_AMONG = new RowsStatement((dialect, rows) => {
  const asked = dialect.rows({ host_id: 'int', first: 'text', last: 'text' }, rows)
  return placesOf(
    dialect,
    sql`select p.host_id, p.word, p.place from ${asked} as v cross join search_places as p
      where p.host_id = v.host_id and p.word >= v.first and p.word <= v.last`,
  )
})

/** What one term of a search stands for: a word that somebody typed, or a facet, which is itself and nothing else. */
export class Term {
  readonly text: string
  /** What words of its family begin with: they are meant too. */
  readonly stem: string
  readonly #store: Store
  readonly #isFacet: boolean
  #near: Promise<ReadonlyMap<string, number>> | undefined

  constructor(store: Store, text: string, isFacet = false) {
    this.#store = store
    this.text = text
    this.stem = isFacet ? text : stemOf(text)
    this.#isFacet = isFacet
  }

  /** Words that hold the term or are typing errors away, with how well each fits; looked for once, when first wanted. */
  near(): Promise<ReadonlyMap<string, number>> {
    // Of what is not typed nobody need wait for a turn.
    this.#near ??=
      this.#isFacet || !isTypeable(this.text)
        ? Promise.resolve(new Map())
        : pacedNearWords(this.#store, this.text).then(
            (found) => new Map(found.map(({ word, quality }) => [word, quality])),
          )
    return this.#near
  }

  /** The words that it begins, as a range of the index; `null` when it is only itself. */
  get range(): { readonly from: string; readonly to: string } | null {
    return this.#isFacet || [...this.text].length < SHORTEST_BEGINNING ? null : beginningWith(this.stem)
  }

  /** Those words of `p`, as a condition that an index answers. */
  beginning(): RawBuilder<unknown> {
    const { range } = this
    return range === null ? sql`p.word = ${this.text}` : sql`p.word >= ${range.from} and p.word < ${range.to}`
  }

  /** The first and the last word that it begins, or may begin. */
  get #begun(): { readonly first: string; readonly last: string } {
    const { range, text } = this
    return range === null ? { first: text, last: text } : { first: range.from, last: range.to }
  }

  /** In how many places words begin with it, up to so many. */
  async countBegun(most: number): Promise<number> {
    const asked = { ...this.#begun, most }
    const counts = await fromAllParts(this.#store, (part) => COUNT_BEGUN.run(part, asked))
    return Math.min(
      counts.reduce((sum, { n }) => sum + n, 0),
      most,
    )
  }

  /** Where words begin with it. */
  placesBegun(most: number): Promise<PlaceRow[]> {
    const asked = { ...this.#begun, most }
    return this.#everywhere((part) => READ_BEGUN.run(part, asked), most)
  }

  /** Where the words near it are. */
  async placesNear(most: number): Promise<PlaceRow[]> {
    const words = most <= 0 ? [] : [...(await this.near()).keys()].map((word): Row => [word])
    if (words.length === 0) return []
    const asked = placesOf(
      this.#store.dialect,
      sql`select p.host_id, p.word, p.place
        from ${this.#store.dialect.rows({ word: 'text' }, words)} as v cross join search_places as p
        where p.word = v.word limit ${most}`,
    )
    return this.#everywhere(async ({ read }) => (await asked.execute(read)).rows, most)
  }

  async #everywhere(ask: (part: StorePart) => Promise<readonly Places[]>, most: number): Promise<PlaceRow[]> {
    const found = await fromAllParts(this.#store, ask)
    return found.flatMap(({ places }) => placesIn(places)).slice(0, most)
  }

  /** Where it is among these hosts. Words near it are looked for on those alone that have none that begin with it. */
  async placesAmong(hostIds: readonly number[]): Promise<PlaceRow[]> {
    const { first, last } = this.#begun
    const begun = await this.#among(hostIds, (part, own) =>
      READ_AMONG.run(
        part.read,
        part.dialect,
        own.map((hostId): Row => [hostId, first, last]),
      ),
    )
    const having = new Set(begun.map(({ host_id }) => host_id))
    const others = hostIds.filter((hostId) => !having.has(hostId))
    if (others.length === 0) return begun
    const near = [...(await this.near()).keys()]
    if (near.length === 0) return begun
    const isNear = sql`p.word in (${sql.join(near)})`
    const nearly = await this.#among(others, async ({ read, dialect }, own) => {
      const rows = dialect.rows(
        { host_id: 'int' },
        own.map((hostId): Row => [hostId]),
      )
      const asked = sql`select p.host_id, p.word, p.place from ${rows} as v cross join search_places as p
        where p.host_id = v.host_id and ${isNear}`
      return (await placesOf(dialect, asked).execute(read)).rows
    })
    return [...begun, ...nearly]
  }

  async #among(
    hostIds: readonly number[],
    ask: (part: StorePart, hostIds: readonly number[]) => Promise<readonly Places[]>,
  ): Promise<PlaceRow[]> {
    const found = await fromParts(this.#store, hostIds, ask)
    return found.flatMap(({ places }) => placesIn(places))
  }

  /** A host has a term as well as its best word fits and stands. */
  async scores(places: readonly PlaceRow[]): Promise<Map<number, number>> {
    const near = this.#near === undefined ? new Map<string, number>() : await this.#near
    const scores = new Map<number, number>()
    for (const { host_id, word, place } of places) {
      const isBegun = word.startsWith(this.stem)
      const quality = isBegun ? qualityOfBeginning(this.text, word) : (near.get(word) ?? 0)
      scores.set(host_id, Math.max(scores.get(host_id) ?? 0, quality * weightOf(place)))
    }
    return scores
  }
}
