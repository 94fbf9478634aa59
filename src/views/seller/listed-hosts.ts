import type { HomeView, HostRow } from '../host/hosts-view.ts'
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

/** The home page with what sellers retired. */
export interface ListedHome extends HomeView {
  readonly rows: readonly ListedHost[]
  /** Of all hosts, those that their seller retired; a little late when the directory is large. */
  readonly retiredHosts?: number
  /** `null` where it was not looked for. */
  readonly retiredFound?: RetiredFound | null
}
