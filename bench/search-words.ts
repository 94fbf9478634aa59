import type { ListingInput, RouteRef } from '../src/store/evidence.ts'
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

export const searchedHost = (n: number): string => `${inventedWord(n)}-api.bench.example`

/** Three routes: one with a common word, one with a word that about fifty hosts share, one of its own. */
export function searchedListings(n: number, hosts: number): ListingInput[] {
  const host = searchedHost(n)
  const shared = inventedWord(1_000_000 + (n % Math.max(1, Math.floor(hosts / 50))))
  const paths = [`/v1/${COMMON[n % COMMON.length]}`, `/v1/${shared}/{id}`, `/tools/${inventedWord(2_000_000 + n)}`]
  return paths.map((path) => {
    const route: RouteRef = { host, scheme: 'https', method: 'GET', path, rail: 'x402' }
    return listingOf(route, n % 40)
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
  ]
  return texts[n % texts.length] ?? ''
}
