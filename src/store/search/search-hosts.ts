import { type RawBuilder, sql } from 'kysely'
import { askedIn } from '../../domain/words/asked.ts'
import type { Store } from '../store.ts'
import { readAmong } from './among.ts'
import { PLACES } from './found-words.ts'
import { EXACT_HOST, type Matches, matchHosts } from './match.ts'
import { leadsToFitting } from './matching-routes.ts'
import { fittingHosts, hostIn, isOfProbes, isOfRoutes, someRow } from './read-hosts.ts'
import { Term } from './term.ts'
import { cut, type HostsAsked, type HostsFound, walkHosts, walkWord } from './walks.ts'

/**
 * One page of hosts. `match` puts the host of that very name first, then those that fit best. Costs a bounded number of
 * index rows, whatever is asked for.
 */
export async function searchHosts(store: Store, asked: HostsAsked): Promise<HostsFound> {
  const { q, filter, order } = asked
  const matches = await matchHosts(store, q, filter)
  if (matches === null) return walkHosts(store, asked)
  const condition = leading(store, asked)
  if (matches.kind === 'few') {
    if (matches.scores.size === 0) return { rows: [], next: null }
    const found = cut(asked, await readAmong(store, asked, matches.scores, condition))
    return { ...found, forgiven: matches.forgiven ?? [] }
  }
  // Facets are among the conditions of every list of hosts.
  const wanted = condition ?? sql`true`
  if (order === 'match') return byWord(store, asked, matches, wanted)
  return walkHosts(
    store,
    asked,
    matches.words.length === 0 ? null : sql`${having(hostIn(filter), matches.words)} and ${wanted}`,
  )
}

/**
 * That a host is called by the words, or that they lead to a route that the filter takes: who looks for weather under a cent
 * wants no host whose forecasts cost a dollar, or are down while something else there is paid for. Whoever names a host or pastes an address means that host, whatever it costs.
 */
function leading(store: Store, { q, filter }: HostsAsked): RawBuilder<unknown> | null {
  const { terms, route, hosts } = askedIn(q ?? '')
  const isAsked = isOfRoutes(filter) || isOfProbes(filter)
  if (terms.length === 0 || (route ?? hosts) !== undefined || !isAsked) return null
  const words = terms.map((text) => new Term(store, text))
  const host = hostIn(filter)
  return sql`(${having(host, words, sql`and p.place = ${sql.lit(PLACES.name)}`)} or ${leadsToFitting(host, terms, filter)})`
}

/** That a host has all of them, in places `p` of the search index. */
const having = (host: RawBuilder<unknown>, terms: readonly Term[], place = sql``): RawBuilder<unknown> => {
  const has = (term: Term) =>
    someRow(sql`from search_places as p where p.host_id = ${host} and ${term.beginning()} ${place}`)
  return terms.length === 0 ? sql`true` : sql`(${sql.join(terms.map(has), sql` and `)})`
}

/**
 * A common word says nothing of who fits best: the host of that very name comes first, then those with the word itself,
 * then those with words that begin with it. Of several words the longest leads.
 */
async function byWord(
  store: Store,
  asked: HostsAsked,
  { exact, words }: Extract<Matches, { kind: 'many' }>,
  /** Over hosts `h` with counters `c`. */
  wanted: RawBuilder<unknown>,
): Promise<HostsFound> {
  const [lead, ...others] = words.toSorted((a, b) => b.text.length - a.text.length)
  if (lead === undefined) return { rows: [], next: null }
  const { filter, after, limit } = asked
  const host = hostIn(filter)
  const first =
    exact === null || after !== null
      ? []
      : await fittingHosts(store, [exact], filter, { condition: sql`${having(host, words)} and ${wanted}` })
  const another = exact === null ? sql`true` : sql`h.host_id <> ${exact}`
  const condition = sql`${another} and ${having(host, others)} and ${wanted}`
  const found = await walkWord(store, { ...asked, limit: limit - first.length }, lead, condition)
  const rows = [...first, ...found.rows]
  // All of a page of one: what follows it starts with the word.
  return { rows, next: limit === first.length ? [EXACT_HOST, ''] : found.next }
}
