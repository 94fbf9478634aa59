import { type RawBuilder, sql } from 'kysely'
import { stemOf } from '../../domain/words/asked.ts'
import type { Row } from '../sql/dialect.ts'
import { fromAllParts, fromParts } from '../sql/parts.ts'
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
    this.#near ??= this.#isFacet
      ? Promise.resolve(new Map())
      : pacedNearWords(this.#store.read, this.#store.dialect, this.text).then(
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

  /** Where words begin with it. */
  async placesBegun(most: number): Promise<PlaceRow[]> {
    const asked = sql<PlaceRow>`select p.host_id, p.word, p.place from search_places as p
      where ${this.beginning()} limit ${most}`
    return this.#everywhere(asked, most)
  }

  /** Where the words near it are. */
  async placesNear(most: number): Promise<PlaceRow[]> {
    const words = [...(await this.near()).keys()].map((word): Row => [word])
    if (words.length === 0 || most <= 0) return []
    const asked = sql<PlaceRow>`select p.host_id, p.word, p.place
      from ${this.#store.dialect.rows({ word: 'text' }, words)} as v cross join search_places as p
      where p.word = v.word limit ${most}`
    return this.#everywhere(asked, most)
  }

  async #everywhere(asked: RawBuilder<PlaceRow>, most: number): Promise<PlaceRow[]> {
    const found = await fromAllParts(this.#store, async ({ read }) => (await asked.execute(read)).rows)
    return found.slice(0, most)
  }

  /** Where it is among these hosts. Words near it are looked for on those alone that have none that begin with it. */
  async placesAmong(hostIds: readonly number[]): Promise<PlaceRow[]> {
    const begun = await this.#among(hostIds, this.beginning())
    const having = new Set(begun.map(({ host_id }) => host_id))
    const others = hostIds.filter((hostId) => !having.has(hostId))
    if (others.length === 0) return begun
    const near = [...(await this.near()).keys()]
    return near.length === 0 ? begun : [...begun, ...(await this.#among(others, sql`p.word in (${sql.join(near)})`))]
  }

  #among(hostIds: readonly number[], condition: RawBuilder<unknown>): Promise<PlaceRow[]> {
    return fromParts(this.#store, hostIds, async ({ read, dialect }, own) => {
      const ids = own.map((hostId): Row => [hostId])
      const found = await sql<PlaceRow>`select p.host_id, p.word, p.place
        from ${dialect.rows({ host_id: 'int' }, ids)} as v cross join search_places as p
        where p.host_id = v.host_id and ${condition}`.execute(read)
      return found.rows
    })
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
