import type { SellerHost } from '../../domain/host.ts'
import { templateFits } from '../../domain/template.ts'
import { stemOf } from '../../domain/words/asked.ts'
import type { Description } from '../../domain/words/description.ts'
import { differences, nameWords, pathWords, wordsOf } from '../../domain/words/search.ts'
import type { MatchingRoute, RouteAsked } from '../../store/search/matching-routes.ts'
import { isOfRoutes } from '../../store/search/read-hosts.ts'

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

/** More than words add up to. */
const PASTED = 100

/** That very path before a template that stands for it; of those that were asked for the first before the second. */
function pathFits(listed: string, paths: readonly string[]): number {
  const at = paths.indexOf(listed)
  if (at !== -1) return PASTED * (paths.length + 1 - at)
  return paths.some((path) => templateFits(listed, path)) ? PASTED : 0
}

/** Of a pasted address, with the fewest typing errors in its path first; as they are where none was pasted. */
function nearestFirst(routes: readonly MatchingRoute[], [asked]: readonly string[]): readonly MatchingRoute[] {
  if (asked === undefined) return routes
  const errors = new Map(routes.map(({ path }) => [path, differences(asked, path)]))
  return routes.toSorted((a, b) => (errors.get(a.path) ?? 0) - (errors.get(b.path) ?? 0))
}

/**
 * Of the routes of a host that may be meant, the one that has most of the words: in its path rather than in what is said
 * of it, unless the list is in the order of prices. Where the host is called by all of them, any route will do that a filter takes.
 */
export function fittingRoute(
  host: SellerHost,
  routes: readonly MatchingRoute[],
  { terms, paths, filter, isByPrice }: RouteAsked,
): MatchingRoute | null {
  const stems = terms.map(stemOf)
  const found = best(nearestFirst(routes, paths), ({ path, descriptions }) => {
    const called = pathWords(path)
    const said = descriptions.flatMap(({ text }) => wordsOf(text))
    const inPath = !isByPrice && fits(stems, called) > 0 ? 1 : 0
    return pathFits(path, paths) + 2 * fits(stems, [...called, ...said]) + inPath
  })
  const isNamed = isOfRoutes(filter) && fits(stems, nameWords(host)) === stems.length
  return found !== null && (found.n > 0 || isNamed) ? found.one : null
}
