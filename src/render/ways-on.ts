import { EVERY_HOST, parseHost } from '../domain/host.ts'
import { askedIn, hostNamedIn } from '../domain/words/asked.ts'
import type { HostQuery } from '../views/host/hosts-view.ts'
import { type ListedHome, type Wider, withoutWord } from '../views/seller/listed-hosts.ts'
import { isOfPaying, lacksUnit, lessChosen, readByWords } from '../views/seller/read-by-words.ts'
import { conditions, homeHref, leftOutOf } from './hosts-query.ts'
import { postHref, reviewHref, whyHref } from './site.ts'

/** What a list of hosts says of itself beside its rows. */
type Listed = Pick<ListedHome, 'query' | 'wider' | 'retiredFound'>

/** A way on, in words that say where it leads: to another search, or to a page. */
export type WayOn = { readonly words: string } & (
  | { readonly search: HostQuery; readonly isWithout: boolean }
  | { readonly href: string }
)

/** Where to go on from a search that found nothing, the likeliest first. */
export const waysOn = (listed: Listed): readonly WayOn[] => [
  ...waysBeside(listed),
  ...whyNotHere(listed),
  ...named(listed.query),
  ...without(listed),
]

/** What the words of a search may be meant to choose. */
export function waysBeside(listed: Listed): readonly WayOn[] {
  const { query } = listed
  const read = readByWords(query)
  if (read === null) return []
  return foundAmong(listed, [read, ...lessChosen(read)]).map((search) => ({
    words: searchWords(search),
    search,
    isWithout: false,
  }))
}

function searchWords(search: Wider): string {
  const picked = conditions({ ...search, q: null }).map(({ words }) => words)
  const found = search.foundOn ?? []
  return [
    `Search ${search.q === null ? 'all hosts' : `“${search.q}”`}`,
    ...(picked.length === 0 ? [] : [`with ${picked.join(', ')}`]),
    ...(found.length === 0 ? [] : [`on any network (found on ${found.join(', ')})`]),
  ].join(' ')
}

/** Those that were looked for and find something; all where nothing was looked for. */
function foundAmong({ wider }: Listed, searches: readonly HostQuery[]): readonly Wider[] {
  if (wider === undefined) return searches.slice(0, 1)
  const asked = new Set(searches.map((one) => homeHref(one)))
  return wider.filter((one) => asked.has(homeHref(one)))
}

/** Conditions and words without which something is found. The only condition is none of them. */
function without({ query, wider }: Listed): readonly WayOn[] {
  const finding = wider && new Set(wider.map((one) => homeHref(one)))
  const asked = conditions(query)
  const less = [
    ...withoutWord(query).map((one) => ({ words: `the word “${one.word}”`, without: one.query })),
    ...(asked.length < 2 ? [] : asked),
  ]
  return less
    .filter((one) => finding?.has(homeHref(one.without)) ?? true)
    .map((one) => ({ words: `Search without ${one.words}`, search: one.without, isWithout: true }))
}

/** Where nothing but hosts were looked for, or an address at one, and nothing is there: why. */
function whyNotHere(listed: Listed): readonly WayOn[] {
  const q = listed.query.q ?? ''
  if (conditions(listed.query).length > 1 || leftOutOf(listed) !== null) return []
  return (askedIn(q).hosts ?? [hostNamedIn(q)]).flatMap((name) => {
    const reading = parseHost(name, EVERY_HOST)
    if (!reading.ok || !reading.host.includes('.')) return []
    return [{ words: `Why ${reading.host} is not here, and whether it was refused`, href: whyHref(reading.host) }]
  })
}

const REVIEW = /^[\da-f]{32}$/
const POST = /^p[a-z\d]{26}$/

/** What has such an id, if anything. */
function named({ q }: HostQuery): readonly WayOn[] {
  const id = q?.trim().toLowerCase() ?? ''
  if (REVIEW.test(id)) return [{ words: `Look for the review ${id}`, href: reviewHref(id) }]
  return POST.test(id) ? [{ words: `Look for the post ${id}`, href: postHref(id) }] : []
}

const ACCOUNT = /^(?:0x[\da-f]{40}|[1-9a-hj-np-z]{32,44})$/i

/** Said of what no search finds, whoever has it. */
export function notLookedFor({ q }: HostQuery): string | null {
  const words = q?.trim() ?? ''
  if (REVIEW.test(words)) return null
  if (words.split(/\s+/).some((word) => ACCOUNT.test(word)))
    return 'Hosts are not found by the wallets that they are paid to, nor by assets.'
  if (lacksUnit(words)) return 'Of a price say what it is in, such as $0.05 or 5 cents.'
  return words !== '' && isOfPaying(words)
    ? 'Hosts are not found by the money that they take. Choose a rail or a network; the page of a route names the assets that it asks for.'
    : null
}
