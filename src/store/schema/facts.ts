import type { Generated } from 'kysely'
import type { PayeeOrigin } from '../../domain/money/payee.ts'
import type { FailedPage, SweepStatus } from '../../domain/sweep.ts'
import type { Refused } from '../../domain/words/refusal.ts'
import type { JsonText } from './json-text.ts'

/** What sources and sellers' documents say, and how they were read. */
export interface FactTables {
  listings: ListingTable
  /** What a source says of a route in words; rows without words are not there. */
  descriptions: { host_id: number; route_id: number; source: string; text: string }
  /** Routes that no source names any more, since the start of the sweep that missed them. */
  unlisted: { host_id: number; route_id: number; since_us: number }
  payees: PayeeTable
  ownership: OwnershipTable
  sources: SourceTable
  source_documents: { source: string; url: string; known: string }
  /** Examples of what the newest sweep of each source refused. */
  refusals: { source: string; reason: string; item: string; started_us: number }
  read_documents: ReadDocumentTable
  sweeps: SweepTable
}

interface ListingTable {
  host_id: number
  route_id: number
  source: string
  /** -1: not known. Part of the key, so never null. */
  price: number
  /** Empty: not known. */
  network: string
  /** CAIP-2 form of `network`, for comparisons. */
  network_key: string
  first_us: number
  last_us: number
  /** Start of the first complete sweep of its source that did not name it any more; null while it does. */
  gone_us: number | null
  /** 1: its source named it beside another price of the same network in one sweep. */
  one_of_several: number
  /** 0: its source named no method, and GET was taken. */
  method_stated: number
  /** The entry of the log that says that it opened; null while none does. */
  log_id: number | null
  /** `last_us` as the log last said it; null: to be said with the next sighting. */
  logged_us: number | null
}

export interface PayeeTable {
  host_id: number
  route_id: number
  network: string
  payee: string
  /** `walletKey` of `payee`, for comparisons. */
  payee_key: string
  /** Empty: not stated. */
  asset: string
  origin: PayeeOrigin
  /** The listing source that named it first, in whose room it is; empty: a live challenge, or not known. */
  source: Generated<string>
  first_us: number
  last_us: number
  /** As in `listings`. */
  log_id: Generated<number | null>
}

/** A payee's verified claim to a host. */
export interface OwnershipTable {
  host_id: number
  signer: string
  origin: string
  proof: string
  first_us: number
  last_us: number
  log_id: Generated<number | null>
}

/** What is remembered of a listing source between its sweeps. */
export interface SourceTable {
  name: string
  /** JSON: where an interrupted sweep goes on. */
  progress: string | null
  failed_page: JsonText<FailedPage> | null
  /** When the next sweep is due. */
  due_us: number
  /** Whoever sweeps it holds it until then. */
  lease_until_us: number
  lease_by: string | null
}

/** A seller's own document as it was last read, by host name: of one that gave no route the host is not known. */
export interface ReadDocumentTable {
  host: string
  source: string
  url: string
  sha256: string
  read_us: number
  seen: number
  stored: number
  /** The first of them; `refused_total` counts all. */
  refused: JsonText<readonly Refused[]>
  refused_total: number
}

export interface SweepTable {
  source: string
  started_us: number
  ended_us: number
  status: SweepStatus
  /** 1 when it went on from an interrupted one. */
  resumed: number
  seen: number
  stored: number
  pages: number
  bytes: number
  /** By reason. */
  refused: JsonText<Readonly<Record<string, number>>>
  /** By how requests ended. */
  answers: JsonText<Readonly<Record<string, number>>>
  announced: number | null
  error: string | null
}
