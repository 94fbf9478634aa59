import { stemOf } from '../../domain/words/asked.ts'
import type { Description } from '../../domain/words/description.ts'
import { pathWords, wordsOf } from '../../domain/words/search.ts'
import type { MatchingRoute } from '../../store/search/matching-routes.ts'

/** How many of the terms are among these words, or begin one of them. */
function fits(terms: readonly string[], words: readonly string[]): number {
  return terms.filter((term) => words.some((word) => word.startsWith(stemOf(term)))).length
}

/** What fits best; of equals the first. */
const best = <T>(all: readonly T[], score: (one: T) => number): T | null =>
  all.reduce<{ one: T; n: number } | null>((before, one) => {
    const n = score(one)
    return before === null || n > before.n ? { one, n } : before
  }, null)?.one ?? null

/** Of what is said of a host, what has most of the words that somebody looks for; of equals the first. */
export const fittingDescription = (said: readonly Description[], terms: readonly string[]): Description | null =>
  best(said, ({ text }) => fits(terms, wordsOf(text)))

/** Of routes that may be meant, the one that has most of the words: in its path rather than in what is said of it. */
export function fittingRoute(routes: readonly MatchingRoute[], terms: readonly string[]): MatchingRoute | null {
  const score = ({ path, descriptions }: MatchingRoute): number => {
    const called = pathWords(path)
    const said = descriptions.flatMap(({ text }) => wordsOf(text))
    return 2 * fits(terms, [...called, ...said]) + (fits(terms, called) > 0 ? 1 : 0)
  }
  const found = best(routes, score)
  return found !== null && score(found) > 0 ? found : null
}
