import type { SellerHost } from '../../domain/host.ts'
import { compareBytes } from '../../domain/order.ts'
import { askedIn, type Forgiven, hostNamedIn } from '../../domain/words/asked.ts'
import { findHostId } from '../host-id.ts'
import { groupBy } from '../sql/group.ts'
import type { Store } from '../store.ts'
import { facetsOf } from './found-words.ts'
import type { HostFilter } from './read-hosts.ts'
import { type PlaceRow, Term } from './term.ts'

/**
 * Places of the rarest term that are looked at one by one: few at first, since mostly one term has so few, then more. A
 * term that begins more of them yet is common.
 */
const CANDIDATES = [100, 1000] as const
/** Above everything that words can add up to. */
export const EXACT_HOST = 1_000_000

/**
 * The hosts a search finds: all of them with how well each fits, where the rarest term names few; else the terms, all
 * of them common, for a walk on which many hosts will fit.
 */
export type Matches =
  | {
      readonly kind: 'few'
      readonly scores: ReadonlyMap<number, number>
      readonly forgiven?: readonly Forgiven[]
    }
  | {
      readonly kind: 'many'
      readonly exact: number | null
      /** Words that were typed. */
      readonly words: readonly Term[]
      readonly facets: readonly Term[]
    }

const NOTHING: Matches = { kind: 'few', scores: new Map() }

/**
 * What is found by words and facets; `null` when neither was asked for. Costs a bounded number of index rows, however
 * many hosts there are and however common a word is: of words that are only near a term, `CANDIDATES` places count.
 */
export async function matchHosts(store: Store, q: string | null, filter: HostFilter): Promise<Matches | null> {
  const asked = askedIn(q ?? '')
  const named = await matchNamed(store, asked.hosts ?? [])
  if (named !== null) return named
  const words = asked.terms.map((text) => new Term(store, text))
  if (q !== null && words.length === 0) return NOTHING
  const facets = facetsOf(filter).map((text) => new Term(store, text, true))
  const terms = [...words, ...facets]
  if (terms.length === 0) return null
  const exact = q === null ? null : ((await findHostId(store.read, hostNamedIn(q))) ?? null)
  // Whoever pastes the address of a route means its host and no other.
  if (exact !== null && asked.route !== undefined) return { kind: 'few', scores: new Map([[exact, EXACT_HOST]]) }
  const rarest = await rarestOf(terms)
  if (rarest === undefined) return { kind: 'many', exact, words, facets }
  const placesBy = new Map<Term, readonly PlaceRow[]>([[rarest.term, rarest.places]])
  let scores = await rarest.term.scores(rarest.places)
  for (const term of terms) {
    if (term === rarest.term || scores.size === 0) continue
    const places = await term.placesAmong([...scores.keys()])
    placesBy.set(term, places)
    const also = await term.scores(places)
    scores = new Map([...also].map(([hostId, score]) => [hostId, score + (scores.get(hostId) ?? 0)]))
  }
  if (exact !== null && scores.has(exact)) scores.set(exact, EXACT_HOST)
  const forgiven = words.flatMap((term) => forgivenOf(term, placesBy.get(term) ?? [], scores))
  return { kind: 'few', scores, forgiven }
}

/** Hosts that are named among other words, in that order; `null` where none of them is known. */
async function matchNamed(store: Store, hosts: readonly SellerHost[]): Promise<Matches | null> {
  const found = await Promise.all(hosts.map((host) => findHostId(store.read, host)))
  const scores = new Map(found.flatMap((id, at) => (id === undefined ? [] : [[id, EXACT_HOST - at] as const])))
  if (scores.size === 0) return null
  const missing = hosts.filter((_, at) => found[at] === undefined)
  return { kind: 'few', scores, forgiven: missing.map((word) => ({ word, takenFor: [] })) }
}

/** Words that are told of one that was forgiven. */
const MOST_TAKEN = 3

/** Where no host that was found has a word with the term in it or of its family. */
function forgivenOf({ text, stem }: Term, places: readonly PlaceRow[], found: ReadonlyMap<number, number>): Forgiven[] {
  const words = places.filter(({ host_id }) => found.has(host_id)).map(({ word }) => word)
  if (words.length === 0 || words.some((word) => word.startsWith(stem) || word.includes(text))) return []
  const counts = [...groupBy(words, (word) => word)].toSorted(
    ([word, a], [other, b]) => b.length - a.length || compareBytes(word, other),
  )
  return [{ word: text, takenFor: counts.slice(0, MOST_TAKEN).map(([word]) => word) }]
}

interface Rarest {
  readonly term: Term
  readonly places: readonly PlaceRow[]
}

/** `undefined`: all of them are common. */
async function rarestOf(terms: readonly Term[]): Promise<Rarest | undefined> {
  for (const most of CANDIDATES) {
    const isLast = most === CANDIDATES.at(-1)
    const counted = await Promise.all(terms.map((term) => countedOf(term, most)))
    const [rarest] = counted
      .flatMap((one) => (one === undefined || (one.n > most && !isLast) ? [] : [one]))
      .sort((a, b) => a.n - b.n)
    if (rarest === undefined) continue
    const { term } = rarest
    if (rarest.near !== null) return { term, places: rarest.near.slice(0, most) }
    const begun = await term.placesBegun(most)
    // Words that hold the term belong to what was meant, however many begin with it.
    return { term, places: [...begun, ...(await term.placesNear(most - begun.length))] }
  }
  return undefined
}

interface Counted {
  readonly term: Term
  readonly n: number
  /** Where the words near it are, which are looked for where nothing begins with it. */
  readonly near: readonly PlaceRow[] | null
}

/** `undefined`: more than that begin with the term. */
async function countedOf(term: Term, most: number): Promise<Counted | undefined> {
  const n = await term.countBegun(most + 1)
  if (n > most) return undefined
  if (n > 0) return { term, n, near: null }
  const near = await term.placesNear(most + 1)
  return { term, n: near.length, near }
}
