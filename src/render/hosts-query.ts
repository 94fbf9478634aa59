import { counted } from '../domain/count.ts'
import { formatPrice } from '../domain/money/price.ts'
import { isListedAs } from '../domain/template.ts'
import { askedIn, type Forgiven } from '../domain/words/asked.ts'
import type { HostQuery, HostRow, Retired } from '../views/host/hosts-view.ts'
import { type Instead, type ListedHome, NARROWED_BY } from '../views/seller/listed-hosts.ts'
import { PATHS } from '../wire/paths.ts'
import { withQuery } from './site.ts'

const DEFAULT_LIMIT = 50

/** What asks for the same hosts again from the start, by name. */
const asking = (query: HostQuery): Readonly<Record<string, string | null>> => ({
  q: query.q,
  rail: query.rail,
  network: query.network,
  max_price: query.maxPrice === null ? null : formatPrice(query.maxPrice),
  check: query.check ?? null,
  result: query.result,
  requested: query.requested ?? null,
  retired: query.retired ?? null,
  sort: query.sort,
  limit: query.limit === DEFAULT_LIMIT ? null : String(query.limit),
})

/** The same as a query string. */
export const hostsQuery = (query: HostQuery): URLSearchParams => new URLSearchParams(withQuery('', asking(query)))

/** The home page with this query, where some of its conditions are others; from the start of the list. */
export const homeHref = (query: HostQuery, changes: Partial<HostQuery> = {}): string =>
  withQuery(PATHS.home, asking({ ...query, ...changes }))

/** One condition of a query in words, and the query without it. */
export interface Condition {
  readonly words: string
  readonly without: HostQuery
}

/** What a list is of, at the beginning of a sentence. */
interface Listed {
  readonly all: string
  /** Before `with` and the conditions. */
  readonly some: string
  readonly none: string
  readonly title: string
}

const LISTED: Readonly<Record<Retired | 'sold', Listed>> = {
  sold: { all: 'All hosts', some: 'Hosts', none: 'No host', title: 'Hosts' },
  with: {
    all: 'All hosts, retired ones too',
    some: 'Hosts, retired ones too,',
    none: 'No host, retired or not,',
    title: 'Hosts, retired ones too',
  },
  only: { all: 'All retired hosts', some: 'Retired hosts', none: 'No retired host', title: 'Retired hosts' },
}

export const listedBy = ({ retired }: HostQuery): Listed => LISTED[retired ?? 'sold']

/** Said of a list that leaves some out. Of all hosts their number is known. */
export function retiredLeftOut({ query, retiredHosts = 0 }: ListedHome): string | null {
  if (query.retired || retiredHosts === 0) return null
  return conditions(query).length === 0 ? `${counted(retiredHosts, 'retired host')} left out` : 'Retired hosts left out'
}

/** What a list of nothing leaves out, and where that is; `null` where it leaves nothing out. */
export interface LeftOut {
  /** `apart from 1 retired host`; `null` where their number is not known. */
  readonly words: string | null
  readonly href: string
}

/** The way there. */
export const AMONG_RETIRED = 'Search also among retired hosts'

export function leftOutOf({ query, retiredFound = null }: Pick<ListedHome, 'query' | 'retiredFound'>): LeftOut | null {
  if (query.retired) return null
  const href = homeHref(query, { retired: 'with' })
  if (retiredFound === null) return { words: null, href }
  const { hosts, isMore } = retiredFound
  if (hosts === 0) return isMore ? { words: null, href } : null
  return { words: `apart from ${isMore ? 'at least ' : ''}${counted(hosts, 'retired host')}`, href }
}

/** Whoever makes a link chooses its words: nothing in them reads as a condition, or as said here, where only the title is shown. */
const titledWords = (q: string | null): string | null => q && `“${q.replace(/[“”·]/g, ' ')}”`

/** `weather · base · Hosts`: what tells a page of the list from others; `null` of the home page as it is. */
export function listTitle(query: HostQuery): string | null {
  const { retired = null, cursor, maxPrice } = query
  const asked = [
    ...[titledWords(query.q), query.rail, query.network, maxPrice === null ? null : `at most ${formatPrice(maxPrice)}`],
    ...[query.check, query.result, query.requested && 'requested payment in the last day'],
  ].flatMap((words) => words ?? [])
  if (asked.length === 0 && retired === null && cursor === null) return null
  return [...asked, listedBy(query).title, ...(cursor === null ? [] : ['further on'])].join(' · ')
}

/** How the words of a search are in what it found. */
const FOUND = {
  there: (q: string) => `“${q}” in a name, path or description`,
  like: (q: string) => `words like “${q}” in a name, path or description`,
  named: (q: string) => `their name in “${q}”`,
} as const

/** What the home page is asked for beside the hosts that are retired. */
export function conditions(query: HostQuery, found: keyof typeof FOUND = 'there'): readonly Condition[] {
  const named: Readonly<Record<(typeof NARROWED_BY)[number], string | null>> = {
    q: query.q === null ? null : FOUND[found](query.q),
    rail: query.rail === null ? null : `rail ${query.rail}`,
    network: query.network === null ? null : `network ${query.network}`,
    maxPrice: query.maxPrice === null ? null : `price at most ${formatPrice(query.maxPrice)}`,
    check: query.check ? `price check ${query.check}` : null,
    result: query.result === null ? null : `at least one probe entry ${query.result}`,
    requested: query.requested ? 'a request for payment in the last day' : null,
  }
  return NARROWED_BY.flatMap((name) => {
    const words = named[name]
    return words === null ? [] : [{ words, without: { ...query, [name]: null } }]
  })
}

/** Said of words that none of the hosts listed has. */
export const forgivenLines = (
  forgiven: readonly Forgiven[] = [],
  quote: (word: string) => string = (word) => `“${word}”`,
): string[] =>
  forgiven.map(({ word, takenFor }) =>
    takenFor.length === 0
      ? `No host is called ${quote(word)} here.`
      : `None of these hosts has ${quote(word)}: they have ${takenFor.map(quote).join(' or ')}.`,
  )

/** Said of a list that is another than the words ask for, as nothing has these. */
export function insteadLine(
  { words, query }: Instead,
  quote: (words: string) => string = (text) => `“${text}”`,
): string {
  const chosen = conditions(query).map((condition) => condition.words)
  const listed = [
    listedBy(query)[chosen.length === 0 ? 'all' : 'some'],
    ...(chosen.length === 0 ? [] : ['with', chosen.join(', ')]),
  ]
  return `Nothing has ${quote(words)} in a name, path or description. Listed instead: ${listed.join(' ').replace(/^./, (first) => first.toLowerCase())}.`
}

/** Whether rows are called by the words, or have what they were found by only nearly. */
export function foundBy({ query, rows, forgiven = [] }: ListedHome): keyof typeof FOUND {
  const { hosts = [] } = askedIn(query.q ?? '')
  if (rows.some(({ host }) => hosts.includes(host))) return 'named'
  return forgiven.length > 0 || rows.some((row) => isOffPath(query, row)) ? 'like' : 'there'
}

/** Of the host in an address that somebody pasted, whose path no route of it has: the route shown is another one. */
export function isOffPath({ q }: HostQuery, { host, match }: HostRow): boolean {
  const { route } = askedIn(q ?? '')
  return route?.host === host && !(match !== null && isListedAs(match.path, route.path))
}

const isFiltered = ({ rail, network, maxPrice, check }: HostQuery): boolean =>
  [rail, network, maxPrice, check ?? null].some((value) => value !== null)

/**
 * Said of a host that was found by words that no route has which the filters take: a source or a typing error led to it; and of
 * one whose address was pasted with another path.
 */
export function unfit(query: HostQuery, row: HostRow): string | null {
  if (isOffPath(query, row))
    return `no route with this path ${isFiltered(query) ? 'fits what is asked for' : 'is on offer'}`
  return row.match === null && query.q !== null && isFiltered(query)
    ? 'no route with these words fits what is asked for'
    : null
}
