import { sql } from 'kysely'
import { gramsOf, isTypeable, nameWords, pathWords, wordsOf } from '../../domain/search.ts'
import type { Dialect, Row } from '../dialect.ts'
import type { Writer } from '../schema.ts'

/** Where a host has a word. The weightiest place counts, and a host's name is there before anything else. */
export const PLACES = { name: 5, path: 2, source: 1 } as const
export type Place = (typeof PLACES)[keyof typeof PLACES]

interface Found {
  readonly hostId: number
  readonly word: string
  readonly place: Place
}

/** The words that one transaction adds to the search index. */
export class FoundWords {
  readonly #found = new Map<string, Found>()

  addName(hostId: number, name: string): void {
    this.#add(hostId, nameWords(name), PLACES.name)
  }

  addPath(hostId: number, path: string): void {
    this.#add(hostId, pathWords(path), PLACES.path)
  }

  addSource(hostId: number, source: string): void {
    this.#add(hostId, wordsOf(source), PLACES.source)
  }

  #add(hostId: number, words: readonly string[], place: Place): void {
    for (const word of words) {
      const key = `${hostId}/${word}`
      const known = this.#found.get(key)
      if (known === undefined || known.place < place) this.#found.set(key, { hostId, word, place })
    }
  }

  /**
   * Once the transaction holds its hosts. Words are shared by all hosts, so they come after everything that transactions
   * wait for, and in the order of their bytes: two of them never wait for each other in a circle.
   */
  async save(writer: Writer, dialect: Dialect): Promise<void> {
    const missing = await this.#missing(writer, dialect)
    if (missing.length === 0) return
    const words = [...new Set(missing.map(({ word }) => word))]
    await saveGrams(writer, dialect, await saveNewWords(writer, dialect, words))
    const rows = missing.toSorted(byWord).map(({ word, hostId, place }): Row => [word, hostId, place])
    await sql`insert into search_places (word, host_id, place)
      select word, host_id, place from ${dialect.rows({ word: 'text', host_id: 'int', place: 'int' }, rows)} as v where true
      on conflict (word, host_id) do nothing`.execute(writer)
  }

  /** What the index does not have: a sweep names the same hosts again and again. */
  async #missing(writer: Writer, dialect: Dialect): Promise<Found[]> {
    if (this.#found.size === 0) return []
    const rows = [...this.#found.values()].map(({ word, hostId }): Row => [word, hostId])
    const known = await sql<{ host_id: number; word: string }>`select p.host_id, p.word
      from ${dialect.rows({ word: 'text', host_id: 'int' }, rows)} as v
      cross join search_places as p where p.word = v.word and p.host_id = v.host_id`.execute(writer)
    const there = new Set(known.rows.map((row) => `${row.host_id}/${row.word}`))
    return [...this.#found].flatMap(([key, found]) => (there.has(key) ? [] : [found]))
  }
}

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
const byWord = (a: Found, b: Found): number => (a.word === b.word ? a.hostId - b.hostId : byBytes(a.word, b.word))

async function saveNewWords(writer: Writer, dialect: Dialect, words: readonly string[]): Promise<string[]> {
  const asked = words.map((word): Row => [word])
  const known = await sql<{ word: string }>`select w.word from ${dialect.rows({ word: 'text' }, asked)} as v
    cross join search_words as w where w.word = v.word`.execute(writer)
  const there = new Set(known.rows.map(({ word }) => word))
  const fresh = words.filter((word) => !there.has(word)).sort(byBytes)
  if (fresh.length === 0) return []
  const rows = fresh.map((word): Row => [word])
  const inserted = await sql<{ word: string }>`insert into search_words (word)
    select word from ${dialect.rows({ word: 'text' }, rows)} as v where true
    on conflict (word) do nothing returning word`.execute(writer)
  return inserted.rows.map(({ word }) => word)
}

async function saveGrams(writer: Writer, dialect: Dialect, words: readonly string[]): Promise<void> {
  const rows = words
    .filter(isTypeable)
    .flatMap((word) => gramsOf(word).map((gram): Row => [gram, [...word].length, word]))
  if (rows.length === 0) return
  await sql`insert into search_grams (gram, length, word)
    select gram, length, word from ${dialect.rows({ gram: 'text', length: 'int', word: 'text' }, rows)} as v where true
    on conflict (gram, length, word) do nothing`.execute(writer)
}
