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

/** Another search that finds something. */
export interface Wider extends HostQuery {
  /** Networks on which the first of it is paid, where a network was left out. */
  readonly foundOn?: readonly string[]
}

/** The search that is answered in the place of one that found nothing. */
export interface Instead {
  /** As they were typed. */
  readonly words: string
  readonly query: HostQuery
}

/** What is beside the hosts of a list. */
interface Beside {
  /** `null` where it was not looked for. */
  readonly retiredFound?: RetiredFound | null
  /**
   * Where nothing is found: the same as its words may be meant, or with one condition or one word less; where something is: what is
   * chosen by words that name nothing but a rail, a network or a price. Each finds something; left out where not looked for.
   */
  readonly wider?: readonly Wider[]
  /** Where words that nothing has name nothing but a rail, a network, a price or an order. */
  readonly instead?: Instead
}

/** One page of the list of hosts, with what sellers retired. */
export interface ListedPage extends HostPage<ListedHost>, Beside {}

/** The home page with what sellers retired. */
export interface ListedHome extends HomeView, Beside {
  readonly rows: readonly ListedHost[]
  /** Of all hosts, those that their seller retired; a little late when the directory is large. */
  readonly retiredHosts?: number
}

/** What a list of hosts is narrowed by. */
export const NARROWED_BY = ['q', 'rail', 'network', 'maxPrice', 'check', 'result', 'requested'] as const

/** The same without one of several words, each in turn. */
export function withoutWord(query: HostQuery): readonly { readonly word: string; readonly query: HostQuery }[] {
  const { terms } = askedIn(query.q ?? '')
  if (terms.length < 2) return []
  return terms.map((word) => ({ word, query: { ...query, q: terms.filter((term) => term !== word).join(' ') } }))
}
