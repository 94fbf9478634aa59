import { typingErrors } from '../../domain/words/search.ts'

/** A variable that nothing reads, and the one that was probably meant. */
export interface Misspelt {
  readonly name: string
  readonly meant: string
}

/** In a name shorter than this a second typing error makes another word of it. */
const LONG = 8
const SHORTEST = 4

/** The name as ours are written; many programs begin theirs with their own. */
const plain = (name: string): string =>
  name
    .toUpperCase()
    .replace(/^TOLLBOOK_/, '')
    .replaceAll('_', '')

/**
 * Names of the environment that look like ours and are not. Everything else there is somebody else's: only what is a
 * letter or two, an underscore, or `TOLLBOOK_` away from a name of ours was meant for us.
 */
export function misspeltIn(names: readonly string[], known: readonly string[]): Misspelt[] {
  const ours = known.map((meant) => ({ meant, word: plain(meant) }))
  return names
    .filter((name) => !known.includes(name) && plain(name).length >= SHORTEST)
    .flatMap((name) => {
      const asked = plain(name)
      const most = asked.length >= LONG ? 2 : 1
      const [best] = ours
        // Every letter more or less is an error by itself.
        .filter(({ word }) => Math.abs(word.length - asked.length) <= most)
        .map(({ meant, word }) => ({ meant, errors: typingErrors(asked, word) }))
        .filter(({ errors }) => errors <= most)
        .sort((a, b) => a.errors - b.errors)
      return best === undefined ? [] : [{ name, meant: best.meant }]
    })
}
