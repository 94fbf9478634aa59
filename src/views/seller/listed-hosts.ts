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
