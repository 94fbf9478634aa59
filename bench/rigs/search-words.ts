import type { ListingInput } from '../../src/store/facts/listings.ts'
import type { RouteRef } from '../../src/store/hosts/route-ref.ts'
import { listingOf } from './data.ts'

// Invented names and paths as sellers choose them: a few words that everybody uses, many that few do.

const CONSONANTS = 'bcdfghklmnprstvz'
const VOWELS = 'aeiou'
const COMMON = ['search', 'price', 'weather', 'image', 'chat', 'data', 'translate', 'news', 'token', 'wallet']

/** A pronounceable word of eight letters; other numbers give other words, up to 4,096,000. */
export function inventedWord(n: number): string {
  // Spread, so that neighbours in number are none in spelling.
  let left = (n * 2_654_435_761) % 4_096_000
  let word = ''
  for (const letters of [CONSONANTS, VOWELS, CONSONANTS, VOWELS, CONSONANTS, VOWELS, CONSONANTS, VOWELS]) {
    word += letters[left % letters.length]
    left = Math.floor(left / letters.length)
  }
  return word
}

/** Words that texts about APIs are made of. */
const PROSE =
  'the api returns live data for your agent with fast clean json and low latency per request over many markets'.split(
    ' ',
  )
/** How many topics sellers write about. */
const TOPICS = 20_000

/** What a source says of the `nth` host's route: mostly words that everybody uses, and two topics. */
export const described = (n: number, route: number): string => {
  const prose = Array.from({ length: 8 }, (_, at) => PROSE[(n * 7 + route * 5 + at * 3) % PROSE.length])
  const topic = (at: number): string => inventedWord(3_000_000 + ((n * 31 + route * 17 + at * 7919) % TOPICS))
  return `${prose.slice(0, 4).join(' ')} ${topic(0)} ${prose.slice(4).join(' ')} ${topic(1)}.`
}

export const searchedHost = (n: number): string => `${inventedWord(n)}-api.bench.example`

/** One host in so many also sells over mpp, and one in so many on a network that few have. */
const MPP_EVERY = 50
const RARE_NETWORK_EVERY = 5_000
export const RARE_NETWORK = 'eip155:137'

/** Three routes: one with a common word, one with a word that about fifty hosts share, one of its own. */
export function searchedListings(n: number, hosts: number): ListingInput[] {
  const host = searchedHost(n)
  const shared = inventedWord(1_000_000 + (n % Math.max(1, Math.floor(hosts / 50))))
  const paths = [`/v1/${COMMON[n % COMMON.length]}`, `/v1/${shared}/{id}`, `/tools/${inventedWord(2_000_000 + n)}`]
  return paths.map((path, at) => {
    const rail = at === 1 && n % MPP_EVERY === 0 ? 'mpp' : 'x402'
    const route: RouteRef = { host, scheme: 'https', method: 'GET', path, rail }
    const listing = { ...listingOf(route, n % 40), description: described(n, at) }
    return at === 2 && n % RARE_NETWORK_EVERY === 0 ? { ...listing, network: RARE_NETWORK } : listing
  })
}

const swapped = (word: string): string => `${word.slice(0, 3)}${word[4]}${word[3]}${word.slice(5)}`

/** What the `n`th reader types: a name, words rare and common, a beginning, a typing error, nonsense. */
export function searchText(n: number, hosts: number): string {
  const one = (n * 7919) % hosts
  const texts = [
    searchedHost(one),
    inventedWord(one),
    swapped(inventedWord(one)),
    inventedWord(1_000_000 + (one % Math.max(1, Math.floor(hosts / 50)))),
    COMMON[n % COMMON.length],
    `${COMMON[n % COMMON.length]} ${inventedWord(one).slice(0, 5)}`,
    'v1',
    `zzq${inventedWord(one)}`,
    inventedWord(3_000_000 + (one % TOPICS)),
    `${PROSE[n % PROSE.length]} ${PROSE[(n * 3) % PROSE.length]}`,
    'api',
    'a',
    inventedWord(one).slice(0, 2),
  ]
  return texts[n % texts.length] ?? ''
}
