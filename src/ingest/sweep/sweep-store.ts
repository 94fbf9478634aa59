import type { SellerHost } from '../../domain/host.ts'
import type { FailedPage, SweepStatus } from '../../domain/sweep.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { ReadDocument } from '../../store/facts/refusals.ts'
import type { Found, FoundListing, OwnershipProof, Refusal, Refused } from '../found.ts'
import type { Version } from './ask.ts'
import type { ListProgress } from './list-reading.ts'

/** Everything counted so far; plain JSON, so that an interrupted sweep goes on counting where it was. */
export interface Counts {
  /** Items looked at, refused ones included. */
  readonly seen: number
  /** Rows handed to the store, or moved forward because their document had not changed. */
  readonly stored: number
  readonly pages: number
  readonly bytes: number
  readonly refused: Readonly<Partial<Record<Refusal, number>>>
  /** How the requests ended: `document`, `not_modified`, or the failure's word. */
  readonly answers: Readonly<Record<string, number>>
  /** The total that the source last announced. */
  readonly announced: number | null
}

/** What one page, or several, added to the counts. */
export type Share = Pick<Counts, 'seen' | 'stored' | 'refused'>

/** Where an interrupted sweep goes on. Plain JSON; the store keeps it as it is. */
export interface Progress {
  /** Of the whole sweep, over all its runs. */
  readonly startedUs: TimestampUs
  readonly savedUs: TimestampUs
  /** The next page's offset, or the last seller that was read. */
  readonly cursor: string
  readonly counts: Counts
  /** Runs in a row that got no further. */
  readonly stalls: number
  /** Something was left out on the way, so the sweep cannot end complete. */
  readonly gap: string | null
  /** Of a list of many pages that can be gone on with; otherwise it is read from its beginning. */
  readonly list?: KeptList | null
}

/** How far a list of many pages is read. */
export interface KeptList {
  readonly reading: ListProgress
  /** What each page, by its offset, has in the counts. */
  readonly pages: readonly (readonly [offset: number, share: Share])[]
}

/** What is remembered of a document that was read whole, to ask next time whether it changed. */
export interface KnownDocument extends Version {
  /** When its rows were last written or moved: they are the rows of its source (and host) last observed at or after it. */
  readonly rowsUs: TimestampUs
  readonly seen: number
  readonly stored: number
  /** Of the parser that read it: a document read by an older one is read again. */
  readonly reader: number
}

export interface DocumentWrite {
  readonly url: string
  /** Its rows are written with it. `null`: forget it, so that it is read whole next time. */
  readonly known: Omit<KnownDocument, 'rowsUs'> | null
}

/** A document that has not changed: its rows were seen again. */
export interface Unchanged {
  readonly url: string
  /** `null`: the document is the whole source. */
  readonly host: SellerHost | null
  /** The rows of the source (on this host) whose last observed is at or after this are the document's. */
  readonly rowsUs: TimestampUs
}

/** One durable step of a sweep. */
export interface SweepPage {
  readonly source: string
  /** Observation time of everything on the page. */
  readonly atUs: TimestampUs
  readonly listings: readonly FoundListing[]
  /** Not verified yet. */
  readonly proofs: readonly OwnershipProof[]
  readonly documents: readonly DocumentWrite[]
  /** What gave no route. */
  readonly refused: readonly Refused[]
  /** Sellers' own documents that were read anew. */
  readonly read: readonly ReadDocument[]
  /** SHA-256 of each document as it was sent, in the order in which they came. */
  readonly rawPages: readonly string[]
  /** Their rows' `last observed` moves to `atUs`, and so does the `rowsUs` of the known document. */
  readonly unchanged: readonly Unchanged[]
  readonly progress: Progress
}

export interface SweepOutcome extends Counts {
  readonly source: string
  readonly status: SweepStatus
  /** Of the whole sweep. A resumed sweep has the time of its first run: its outcome replaces the earlier one. */
  readonly startedUs: TimestampUs
  readonly endedUs: TimestampUs
  readonly resumed: boolean
  /** It read all that the source names; else it asked sellers one by one, of which some say nothing. */
  readonly isWhole: boolean
  /** Why it is not complete. */
  readonly error: string | null
  readonly failedPage: FailedPage | null
}

/** What a sweep needs of the store. Each method is one durable transaction or one read. */
export interface SweepStore {
  loadProgress(source: string): Promise<Progress | null>
  /** What the source's last complete sweep counted. */
  lastComplete(source: string): Promise<Pick<Counts, 'seen' | 'stored'> | undefined>
  /** Whether the source named a route in its last complete sweep, or since, that it has not named since `startedUs`. */
  isMissingSome(source: string, startedUs: TimestampUs): Promise<boolean>
  /** Whether the source has named anything since `startedUs` that it had not named before. */
  isNamingNew(source: string, startedUs: TimestampUs): Promise<boolean>
  /**
   * What is remembered of a document; `host`: it is a seller's own. Nothing, where other rows of its source were seen on that
   * host since, by another document or outside of sweeps: whoever takes it for unchanged would move those, too.
   */
  loadDocument(source: string, url: string, host: SellerHost | null): Promise<KnownDocument | null>
  /** The address of the document of a seller that was read last; `null`: none was. */
  lastReadAt(source: string, host: SellerHost): Promise<string | null>
  /**
   * What of a document there is room for: a source gives a host so many routes over time, and no more; the own documents of
   * sellers (`seller`: whose it is) so many hosts below one registered name.
   */
  withRoom(source: string, found: Found, seller?: SellerHost): Promise<Found>
  savePage(page: SweepPage): Promise<void>
  /** Stores the outcome, and the progress to go on from (`null`: the next sweep starts anew). */
  finishSweep(outcome: SweepOutcome, progress: Progress | null): Promise<void>
}
