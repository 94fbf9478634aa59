import type { SellerHost } from '../host.ts'
import { METHODS, SCHEMES } from './route-words.ts'
import { termsOf } from './search.ts'

// What somebody means by the words of a search, beyond looking for them.

/** Words that ask for an order. */
const ORDERS: ReadonlyMap<string, 'price' | 'latency'> = new Map([
  ...['cheap', 'cheaper', 'cheapest', 'inexpensive', 'affordable'].map((word) => [word, 'price'] as const),
  ...['fast', 'faster', 'fastest', 'quick', 'quickest'].map((word) => [word, 'latency'] as const),
])
/** Words that everything here is, or that join others. */
const FILLERS = new Set(['api', 'apis', 'endpoint', 'endpoints', 'for', 'the', 'a', 'an', 'of', 'to', 'and', 'with'])

/** Whether a word beside others is not looked for. */
export const saysNothing = (word: string): boolean => ORDERS.has(word.toLowerCase()) || FILLERS.has(word.toLowerCase())

/** The first order that words ask for. */
export const orderIn = (words: readonly string[]): 'price' | 'latency' | null =>
  words.flatMap((word) => ORDERS.get(word.toLowerCase()) ?? [])[0] ?? null

/** A route as somebody pastes it. */
export interface AskedRoute {
  /** `null`: of any host. */
  readonly host: SellerHost | null
  /** As written, query string included. */
  readonly path: string
}

export interface Asked {
  /** All of them must be found. */
  readonly terms: readonly string[]
  readonly order: 'price' | 'latency' | null
  /** Left out where the words are no address. */
  readonly route?: AskedRoute
  /** Left out unless other words stand beside them, or there are several. */
  readonly hosts?: readonly SellerHost[]
}

/** A word of a search that nothing found has. */
export interface Forgiven {
  readonly word: string
  /** Words like it that were found instead, the most common first; none of a host that is not known. */
  readonly takenFor: readonly string[]
}

// What is read with these may be as long as an address, and comes from strangers: no sign is looked at once for each before it.
const PASTED = new RegExp(`^(?:(?:${METHODS.join('|')})\\s+)?(?:(${SCHEMES.join('|')})://)?([^\\s./]*[./]\\S*)$`, 'i')

/** The name of a host among words: that of a version or of a picture is one, too, as long as nobody knows its host. */
const ADDRESS = /^(?:https?:\/\/)?(?:[\p{L}\p{N}_-]+\.)+\p{L}[\p{L}\p{N}-]+\.?(?::\d{1,5})?(?:[/?#]\S*)?$/iu
const COMMAND = /^\$?\s*(?:curl|wget|https?)\s/i
/** Signs around an address in a sentence or a command. */
const AROUND = /^["'`<(]+|(?<!["'`>),.;:!?])["'`>),.;:!?]+$/g
const MOST_NAMED = 5

/** Addresses that stand among other words: of a command the one that it calls. */
function addressesIn(q: string): readonly string[] {
  const words = q
    .trim()
    .split(/\s+/)
    .flatMap((word) => (word.includes('/') ? [word] : word.split(/[,;|]/)))
  if (words.length < 2) return []
  const named = words.map((word) => word.replace(AROUND, '')).filter((word) => ADDRESS.test(word))
  if (!COMMAND.test(q)) return [...new Set(named)].slice(0, MOST_NAMED)
  return [named.find((word) => /^https?:/i.test(word)) ?? named[0] ?? []].flat()
}

/** The only address among the words, where it is of a route or a command calls it. */
function calledIn(q: string): string {
  const [address = '', ...others] = addressesIn(q)
  return others.length === 0 && (COMMAND.test(q) || /[^/]\/[^/]/.test(address)) ? address : q.trim()
}

/** `GET https://api.example.com/v1/x` without its method and its scheme, which nothing here is found by. */
function pastedIn(q: string): { readonly scheme: string; readonly text: string } {
  const called = PASTED.exec(q.trim()) ?? PASTED.exec(calledIn(q)) ?? []
  const [, scheme = 'https', text = q.trim()] = called
  return { scheme, text }
}

/** `a.example vs b.example`, `what does a.example cost?`. */
function hostsIn(q: string): readonly SellerHost[] {
  return PASTED.test(q.trim()) ? [] : [...new Set(addressesIn(q).map(hostNamedIn))]
}

/** The host that somebody names, in the form in which hosts are stored, where it is one at all. */
export function hostNamedIn(q: string): SellerHost {
  const { scheme, text } = pastedIn(q)
  const address = `${scheme}://${text.replace(/[/?#].*$/s, '')}`
  return URL.canParse(address) ? new URL(address).host.replace(/\.(?=:|$)/, '') : text.toLowerCase()
}

function routeIn(q: string): AskedRoute | undefined {
  const [, authority = '', path = ''] = /^([^\s/?#]*)([^\s#]*)(?:#\S*)?$/.exec(pastedIn(q).text) ?? []
  if (path === '' || path === '/') return undefined
  return { host: authority === '' ? null : hostNamedIn(q), path }
}

/**
 * `cheap image api` looks for `image`, in the order of prices. Words that stand alone are looked for as they are, and so
 * are those of an address.
 */
export function askedIn(q: string): Asked {
  const { text: pasted } = pastedIn(q)
  const route = routeIn(q)
  if (route !== undefined && termsOf(pasted).length > 0) return { terms: termsOf(pasted), order: null, route }
  const words = pasted.split(/\s+/)
  const said = words.filter((word) => !saysNothing(word))
  const terms = termsOf(said.join(' '))
  if (terms.length === 0) return { terms: termsOf(q), order: null }
  const hosts = hostsIn(q)
  return { terms, order: orderIn(words), ...(hosts.length > 0 && { hosts }) }
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
