import type { Description } from '../../domain/words/description.ts'
import { termsOf, wordsOf } from '../../domain/words/search.ts'

/** Of what is said of a host, what has most of the words that somebody looks for; of equals the first. */
export function fittingDescription(said: readonly Description[], q: string): Description | null {
  const terms = termsOf(q)
  const fits = ({ text }: Description): number => {
    const words = wordsOf(text)
    return terms.filter((term) => words.some((word) => word.startsWith(term))).length
  }
  const best = said.reduce<{ one: Description; n: number } | null>((before, one) => {
    const n = fits(one)
    return before === null || n > before.n ? { one, n } : before
  }, null)
  return best?.one ?? null
}
