import { type RawBuilder, sql } from 'kysely'
import type { SellerHost } from '../../domain/host.ts'
import { termsOf } from '../../domain/search.ts'
import type { Dialect, Row } from '../dialect.ts'
import { findHostId } from '../hosts.ts'
import type { Reader } from '../schema.ts'
import type { Store } from '../store.ts'
import { beginningWith, type NearWord, nearWords, qualityOfBeginning } from './near-words.ts'

/**
 * Places of the rarest term that are looked at one by one: few at first, since mostly one term has so few, then more. A
 * term that has more of them yet is common.
 */
const CANDIDATES = [100, 2000] as const
/** Above everything that words can add up to. */
export const EXACT_HOST = 1_000_000
/** A single letter means itself; of two letters on, words that begin with them are meant too. */
const SHORTEST_BEGINNING = 2

/** What one term of a search stands for. */
interface Term {
  readonly text: string
  readonly near: ReadonlyMap<string, number>
}

/**
 * The hosts a search finds: all of them with how well each fits, where the rarest term names few; else a condition on
 * their words, for a walk in the order of the list in which many will fit.
 */
export type Matches =
  | { readonly kind: 'few'; readonly scores: ReadonlyMap<number, number> }
  | { readonly kind: 'many'; readonly exact: number | null; readonly condition: RawBuilder<unknown> }

const NOTHING: Matches = { kind: 'few', scores: new Map() }

/** Costs a bounded number of index rows, however many hosts there are and however common a word is. */
export async function matchHosts(store: Store, q: string): Promise<Matches> {
  const { read, dialect } = store
  const texts = termsOf(q)
  if (texts.length === 0) return NOTHING
  const terms = await Promise.all(texts.map((text) => termOf(read, dialect, text)))
  const exact = (await findHostId(read, q.trim().toLowerCase() satisfies SellerHost)) ?? null
  const rarest = await rarestOf(read, dialect, terms)
  if (rarest === undefined) return { kind: 'many', exact, condition: conditionOf(terms) }
  let scores = scoresOf(rarest.term, rarest.places)
  for (const term of terms) {
    if (term === rarest.term || scores.size === 0) continue
    const also = scoresOf(term, await placesAmong(read, dialect, term, [...scores.keys()]))
    scores = new Map([...also].map(([hostId, score]) => [hostId, score + (scores.get(hostId) ?? 0)]))
  }
  if (exact !== null && scores.has(exact)) scores.set(exact, EXACT_HOST)
  return { kind: 'few', scores }
}

interface Rarest {
  readonly term: Term
  /** All that it has. */
  readonly places: readonly PlaceRow[]
}

/** `undefined`: all of them are common. */
async function rarestOf(reader: Reader, dialect: Dialect, terms: readonly Term[]): Promise<Rarest | undefined> {
  for (const most of CANDIDATES) {
    const found = await Promise.all(
      terms.map(async (term): Promise<Rarest> => ({ term, places: await placesOf(reader, dialect, term, most + 1) })),
    )
    const [rarest] = found.toSorted((a, b) => a.places.length - b.places.length)
    if (rarest !== undefined && rarest.places.length <= most) return rarest
  }
  return undefined
}

async function termOf(reader: Reader, dialect: Dialect, text: string): Promise<Term> {
  const near: NearWord[] = await nearWords(reader, dialect, text)
  return { text, near: new Map(near.map(({ word, quality }) => [word, quality])) }
}

interface PlaceRow {
  host_id: number
  word: string
  place: number
}

async function placesOf(reader: Reader, dialect: Dialect, term: Term, most: number): Promise<PlaceRow[]> {
  const begun = await sql<PlaceRow>`select p.host_id, p.word, p.place from search_places as p
    where ${beginning(term)} limit ${most}`.execute(reader)
  const left = most - begun.rows.length
  if (left <= 0 || term.near.size === 0) return begun.rows
  const words = [...term.near.keys()].map((word): Row => [word])
  const near = await sql<PlaceRow>`select p.host_id, p.word, p.place
    from ${dialect.rows({ word: 'text' }, words)} as v cross join search_places as p
    where p.word = v.word limit ${left}`.execute(reader)
  return [...begun.rows, ...near.rows]
}

async function placesAmong(
  reader: Reader,
  dialect: Dialect,
  term: Term,
  hostIds: readonly number[],
): Promise<PlaceRow[]> {
  const ids = hostIds.map((hostId): Row => [hostId])
  const found = await sql<PlaceRow>`select p.host_id, p.word, p.place
    from ${dialect.rows({ host_id: 'int' }, ids)} as v cross join search_places as p
    where p.host_id = v.host_id and ${meant(term)}`.execute(reader)
  return found.rows
}

function beginning({ text }: Term): RawBuilder<unknown> {
  if ([...text].length < SHORTEST_BEGINNING) return sql`p.word = ${text}`
  const { from, to } = beginningWith(text)
  return sql`p.word >= ${from} and p.word < ${to}`
}

const meant = (term: Term): RawBuilder<unknown> =>
  term.near.size === 0 ? beginning(term) : sql`(${beginning(term)} or p.word in (${sql.join([...term.near.keys()])}))`

const conditionOf = (terms: readonly Term[]): RawBuilder<unknown> =>
  sql.join(
    terms.map((term) => sql`exists (select 1 from search_places as p where p.host_id = h.host_id and ${meant(term)})`),
    sql` and `,
  )

/** A host has a term as well as its best word fits and stands. */
function scoresOf(term: Term, places: readonly PlaceRow[]): Map<number, number> {
  const scores = new Map<number, number>()
  for (const { host_id, word, place } of places) {
    const quality = term.near.get(word) ?? qualityOfBeginning(term.text, word)
    scores.set(host_id, Math.max(scores.get(host_id) ?? 0, quality * place))
  }
  return scores
}
