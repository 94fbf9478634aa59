import { stemOf } from '../../domain/words/asked.ts'
import type { Description } from '../../domain/words/description.ts'
import { pathWords, wordsOf } from '../../domain/words/search.ts'
import type { MatchingRoute } from '../../store/search/matching-routes.ts'

/** How many of the stems are among these words, or begin one of them. */
const fits = (stems: readonly string[], words: readonly string[]): number =>
  stems.filter((stem) => words.some((word) => word.startsWith(stem))).length

interface Scored<T> {
  readonly one: T
  readonly n: number
}

/** What fits best; of equals the first. */
const best = <T>(all: readonly T[], score: (one: T) => number): Scored<T> | null =>
  all.reduce<Scored<T> | null>((before, one) => {
    const n = score(one)
    return before === null || n > before.n ? { one, n } : before
  }, null)

/** Of what is said of a host, what has most of the words that somebody looks for; of equals the first. */
export function fittingDescription(said: readonly Description[], terms: readonly string[]): Description | null {
  const stems = terms.map(stemOf)
  return best(said, ({ text }) => fits(stems, wordsOf(text)))?.one ?? null
}

/** Of routes that may be meant, the one that has most of the words: in its path rather than in what is said of it. */
export function fittingRoute(routes: readonly MatchingRoute[], terms: readonly string[]): MatchingRoute | null {
  const stems = terms.map(stemOf)
  const found = best(routes, ({ path, descriptions }) => {
    const called = pathWords(path)
    const said = descriptions.flatMap(({ text }) => wordsOf(text))
    return 2 * fits(stems, [...called, ...said]) + (fits(stems, called) > 0 ? 1 : 0)
  })
  return found !== null && found.n > 0 ? found.one : null
}
