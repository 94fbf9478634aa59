import { networkKey } from '../../src/domain/network.ts'
import { describedWords, gramsOf, isTypeable, nameWords, pathWords, wordsOf } from '../../src/domain/words/search.ts'
import type { ListingInput } from '../../src/store/facts/listings.ts'
import { facetsOf, PLACES, type Place, weightOf } from '../../src/store/search/found-words.ts'
import type { Row } from '../../src/store/sql/dialect.ts'

/** Which words a host is found by, and where it has them, once these listings are saved. */
export function hostWords(host: string, listings: readonly ListingInput[]): ReadonlyMap<string, Place> {
  const words = new Map<string, Place>()
  const found = (some: readonly string[], place: Place): void => {
    for (const word of some) {
      if (weightOf(words.get(word) ?? 0) < weightOf(place)) words.set(word, place)
    }
  }
  found(nameWords(host), PLACES.name)
  for (const { path, source, rail, network, description } of listings) {
    found(pathWords(path), PLACES.path)
    found(wordsOf(source), PLACES.source)
    const facets = facetsOf({ rail, networkKey: network === null ? null : networkKey(network) })
    for (const word of facets) words.set(word, PLACES.facet)
    found(describedWords(description ?? ''), PLACES.description)
  }
  return words
}

/** The rows of a word that no host had before, for `search_words` and `search_grams`. */
export const newWordRows = (word: string): { readonly word: Row; readonly grams: readonly Row[] } => ({
  word: [word],
  grams: isTypeable(word) ? gramsOf(word).map((gram): Row => [gram, [...word].length, word]) : [],
})
