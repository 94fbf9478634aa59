import { termsOf } from './search.ts'

// What somebody means by the words of a search, beyond looking for them.

/** Words that ask for an order. */
const ORDERS: ReadonlyMap<string, 'price' | 'latency'> = new Map([
  ...['cheap', 'cheaper', 'cheapest', 'inexpensive', 'affordable'].map((word) => [word, 'price'] as const),
  ...['fast', 'faster', 'fastest', 'quick', 'quickest'].map((word) => [word, 'latency'] as const),
])
/** Words that everything here is, or that join others. */
const FILLERS = new Set(['api', 'apis', 'endpoint', 'endpoints', 'for', 'the', 'a', 'an', 'of', 'to', 'and', 'with'])

export interface Asked {
  /** All of them must be found. */
  readonly terms: readonly string[]
  readonly order: 'price' | 'latency' | null
}

/** `cheap image api` looks for `image`, in the order of prices. Words that stand alone are looked for as they are. */
export function askedIn(q: string): Asked {
  const words = q.trim().split(/\s+/)
  const isSaid = (word: string): boolean => {
    const text = word.toLowerCase()
    return !ORDERS.has(text) && !FILLERS.has(text)
  }
  const said = words.filter(isSaid)
  const terms = termsOf(said.join(' '))
  if (terms.length === 0) return { terms: termsOf(q), order: null }
  const orders = words.flatMap((word) => ORDERS.get(word.toLowerCase()) ?? [])
  return { terms, order: orders[0] ?? null }
}

const LEAST_STEM = 4
/** Longest first: what is left of a word must still say something. */
const ENDINGS: readonly (readonly [ending: string, kept: string])[] = [
  ['izations', 'iz'],
  ['isations', 'is'],
  ['ization', 'iz'],
  ['isation', 'is'],
  ['ations', 'at'],
  ['ation', 'at'],
  ['ators', 'at'],
  ['ator', 'at'],
  ['ating', 'at'],
  ['ated', 'at'],
  ['ates', 'at'],
  ['ings', ''],
  ['ing', ''],
  ['ers', ''],
  ['er', ''],
  ['ors', ''],
  ['or', ''],
  ['ies', ''],
  ['ied', ''],
  ['ed', ''],
  ['es', ''],
  ['e', ''],
  ['y', ''],
]

/** What words of one family begin with: `translation`, `translate` and `translators` are `translat`. English alone. */
export function stemOf(word: string): string {
  if (!/^[a-z]+$/.test(word)) return word
  const single = /[^siu]s$/.test(word) && word.length > LEAST_STEM - 1 ? word.slice(0, -1) : word
  for (const [ending, kept] of ENDINGS) {
    if (!single.endsWith(ending)) continue
    const stem = `${single.slice(0, -ending.length)}${kept}`
    if (stem.length >= LEAST_STEM) return stem
  }
  return single
}
