import { domainToUnicode } from 'node:url'
import type { SellerHost } from '../host.ts'

/** What is longer is kept and looked for by its beginning. */
const LONGEST_WORD = 40
const MOST_TERMS = 6

const PIECES = /[\p{L}\p{N}]+/gu

/** The words of any text: runs of letters and digits, in one case and one Unicode form. */
export function wordsOf(text: string): string[] {
  const found = text.normalize('NFKC').toLowerCase().match(PIECES) ?? []
  return [...new Set(found.map((word) => (word.length <= LONGEST_WORD ? word : beginningOf(word))))]
}

const beginningOf = (word: string): string => [...word].slice(0, LONGEST_WORD).join('')

/** What a reader looks for. All terms must be found. */
export const termsOf = (text: string): string[] => wordsOf(text).slice(0, MOST_TERMS)

/** Words by which a host is found: its labels, those with hyphens also as one word, and what punycode stands for. */
export function nameWords(host: SellerHost): string[] {
  const joined = host
    .split('.')
    .filter((label) => label.includes('-') && !label.startsWith('xn--'))
    .map((label) => label.replaceAll('-', ''))
  const [name = ''] = host.split(':')
  const unicode = host.includes('xn--') ? domainToUnicode(name) : ''
  return [...new Set([...wordsOf(host), ...joined.flatMap(wordsOf), ...wordsOf(unicode)])]
}

/** Words of a path as written and, where it is percent-encoded text, as read. */
export function pathWords(path: string): string[] {
  if (!path.includes('%')) return wordsOf(path)
  return [...new Set([...wordsOf(path.replace(/%[0-9a-f]{2}/gi, ' ')), ...wordsOf(decoded(path))])]
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}

/** In characters. Longer ones that nobody types are addresses, keys and hashes that a text mentions. */
const LONGEST_NUMBER = 8

/** Words of a text about a host by which the host is found: without single letters, keys and hashes. */
export const describedWords = (text: string): string[] =>
  wordsOf(text).filter((word) => word.length > 1 && (word.length <= LONGEST_NUMBER || isTypeable(word)))

const SHORTEST_GUESS = 3

/** Whether somebody could mistype it: numbers, keys and hashes are copied, not typed. */
export function isTypeable(word: string): boolean {
  const digits = word.match(/\p{N}/gu)?.length ?? 0
  return [...word].length >= SHORTEST_GUESS && digits * 3 <= word.length
}

/** Three characters in a row, with the ends marked, so that words that share a beginning share more. */
export function gramsOf(word: string): string[] {
  const characters = [...`  ${word} `]
  const grams = characters.slice(2).map((_, at) => characters.slice(at, at + 3).join(''))
  return [...new Set(grams)]
}

/** Those that lie within the word: every word that holds this one has them all. */
export const innerGramsOf = (word: string): string[] => gramsOf(word).filter((gram) => !gram.includes(' '))

/** How many typing errors a word of this length is forgiven. */
export const forgiven = (word: string): 0 | 1 | 2 => {
  const { length } = [...word]
  return length < 4 ? 0 : length < 8 ? 1 : 2
}

/** Characters left out, added, replaced or swapped with their neighbour between two words. */
export function typingErrors(a: string, b: string): number {
  const [from, to] = [[...a], [...b]]
  let before: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      let least = Math.min(replaced, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        least = Math.min(least, (before[j - 2] ?? 0) + 1)
      }
      row.push(least)
    }
    before = last
    last = row
  }
  return last[to.length] ?? 0
}

/** In characters: what a stranger asks for may be of any length. */
const MOST_COMPARED = 80

/** Typing errors between two names or paths, within so many characters after what they begin with alike. */
export function differences(a: string, b: string): number {
  let alike = 0
  while (alike < a.length && a[alike] === b[alike]) alike++
  const compared = (text: string): string => text.slice(alike, alike + MOST_COMPARED)
  return typingErrors(compared(a), compared(b))
}
