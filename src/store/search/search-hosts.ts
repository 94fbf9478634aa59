import { type RawBuilder, sql } from 'kysely'
import type { Store } from '../store.ts'
import { readAmong } from './among.ts'
import { EXACT_HOST, type Matches, matchHosts } from './match.ts'
import { fittingHosts, readRows, someRow } from './read-hosts.ts'
import type { Term } from './term.ts'
import { cut, type HostsAsked, type HostsFound, walkHosts, walkWord } from './walks.ts'

/**
 * One page of hosts. `match` puts the host of that very name first, then those that fit best. Costs a bounded number of
 * index rows, whatever is asked for.
 */
export async function searchHosts(store: Store, asked: HostsAsked): Promise<HostsFound> {
  const { q, filter, order } = asked
  const matches = await matchHosts(store, q, filter)
  if (matches === null) return walkHosts(store, asked)
  if (matches.kind === 'few') {
    if (matches.scores.size === 0) return { rows: [], next: null }
    const found = cut(asked, await readAmong(store, asked, matches.scores))
    return { ...found, forgiven: matches.forgiven ?? [] }
  }
  // Facets are among the conditions of every list of hosts.
  return order === 'match'
    ? byWord(store, asked, matches)
    : walkHosts(store, asked, matches.words.length === 0 ? null : having(matches.words))
}

const having = (terms: readonly Term[]): RawBuilder<unknown> =>
  terms.length === 0
    ? sql`true`
    : sql.join(
        terms.map((term) => someRow(sql`from search_places as p where p.host_id = h.host_id and ${term.beginning()}`)),
        sql` and `,
      )

/**
 * A common word says nothing of who fits best: the host of that very name comes first, then those with the word itself,
 * then those with words that begin with it. Of several words the longest leads.
 */
async function byWord(
  store: Store,
  asked: HostsAsked,
  { exact, words }: Extract<Matches, { kind: 'many' }>,
): Promise<HostsFound> {
  const [lead, ...others] = words.toSorted((a, b) => b.text.length - a.text.length)
  if (lead === undefined) return { rows: [], next: null }
  const { filter, after, limit } = asked
  const first =
    exact === null || after !== null
      ? []
      : await readRows(store, await fittingHosts(store, [exact], filter, { condition: having(words) }))
  const condition = exact === null ? having(others) : sql`h.host_id <> ${exact} and ${having(others)}`
  const found = await walkWord(store, { ...asked, limit: limit - first.length }, lead, condition)
  const rows = [...first, ...found.rows]
  // All of a page of one: what follows it starts with the word.
  return { rows, next: limit === first.length ? [EXACT_HOST, ''] : found.next }
}
