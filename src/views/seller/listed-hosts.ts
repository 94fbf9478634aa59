import { networkName } from '../../domain/network.ts'
import { RAILS, type Rail } from '../../domain/route.ts'
import { askedIn } from '../../domain/words/asked.ts'
import type { HomeView, HostPage, HostQuery, HostRow } from '../host/hosts-view.ts'
import type { RetiredView } from './seller-view.ts'

/** A row of the list of hosts, beside it what its seller says of the whole host. */
export interface ListedHost extends HostRow {
  readonly retired?: RetiredView | null
}

/** What a search that found nothing finds among the hosts that their seller retired. */
export interface RetiredFound {
  readonly hosts: number
  /** Whether there may be more than these. */
  readonly isMore: boolean
}

/** One page of the list of hosts, with what sellers retired. */
export interface ListedPage extends HostPage<ListedHost> {
  /** `null` where it was not looked for. */
  readonly retiredFound?: RetiredFound | null
}

/** The home page with what sellers retired. */
export interface ListedHome extends HomeView {
  readonly rows: readonly ListedHost[]
  /** Of all hosts, those that their seller retired; a little late when the directory is large. */
  readonly retiredHosts?: number
  /** `null` where it was not looked for. */
  readonly retiredFound?: RetiredFound | null
  /** Where nothing is found: the same with one condition or one word less, where that finds something; left out where not looked for. */
  readonly wider?: readonly HostQuery[]
}

/** What a list of hosts is narrowed by. */
export const NARROWED_BY = ['q', 'rail', 'network', 'maxPrice', 'check', 'result', 'requested'] as const

/** The same without one of several words, each in turn. */
export function withoutWord(query: HostQuery): readonly { readonly word: string; readonly query: HostQuery }[] {
  const { terms } = askedIn(query.q ?? '')
  if (terms.length < 2) return []
  return terms.map((word) => ({ word, query: { ...query, q: terms.filter((term) => term !== word).join(' ') } }))
}

/** Words that say how something is paid and not what it is, and those that join them. */
const OF_PAYING = new Set(
  'usdc usd dollar dollars stablecoin pay paid payment on in by via using that which takes accepts'.split(' '),
)

/**
 * `image api on base` names a network, which words are not looked for in: the same with rail and network chosen and without the
 * words of paying; `null` where none is named.
 */
export function chosenByWords(query: HostQuery): HostQuery | null {
  const words = (query.q ?? '').split(/\s+/)
  const rail = query.rail === null ? railIn(words) : null
  const network = query.network === null ? networkIn(words) : []
  if (rail === null && network.length === 0) return null
  const isKept = (word: string): boolean =>
    word.toLowerCase() !== rail && !network.includes(word) && !OF_PAYING.has(word.toLowerCase())
  const kept = words.filter(isKept).join(' ')
  return {
    ...query,
    q: askedIn(kept).terms.length === 0 ? null : kept,
    rail: rail ?? query.rail,
    network: network.length === 0 ? query.network : network.join(' '),
  }
}

const railIn = (words: readonly string[]): Rail | null =>
  RAILS.find((rail) => words.some((word) => word.toLowerCase() === rail)) ?? null

/** The words by which a known network is called: two before one, as in `base sepolia`. A bare number is none here. */
function networkIn(words: readonly string[]): readonly string[] {
  const pairs = words.slice(1).map((word, at) => [words[at] ?? '', word])
  const isNetwork = (called: readonly string[]): boolean =>
    /[a-z]/i.test(called[0] ?? '') && networkName(called.join(' ')) !== null
  return pairs.find(isNetwork) ?? words.map((word) => [word]).find(isNetwork) ?? []
}
