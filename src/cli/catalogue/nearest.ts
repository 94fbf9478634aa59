import { forgiven, typingErrors } from '../../domain/words/search.ts'

const SHORTEST_BEGINNING = 2

/** The name that was probably meant: one that begins like the word, or is a typing error or two away. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const begun = word.length >= SHORTEST_BEGINNING ? names.find((name) => name.startsWith(word)) : undefined
  if (begun !== undefined) return begun
  const [best] = names
    .map((name) => ({ name, errors: typingErrors(word, name) }))
    .filter(({ errors }) => errors <= Math.max(1, forgiven(word)))
    .sort((a, b) => a.errors - b.errors)
  return best?.name
}
