import type { FailedPage, SweepStatus } from '../../domain/sweep.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'

/** A listing source as this directory is set up to read it. */
export interface ListedSource {
  readonly name: string
  readonly kind: string
  /** Empty for sellers' own documents. */
  readonly address: string
}

export interface SweepView {
  readonly status: SweepStatus
  readonly startedUs: TimestampUs
  readonly endedUs: TimestampUs
  readonly resumed: boolean
  readonly seen: number
  readonly stored: number
  readonly refused: Readonly<Record<string, number>>
  /** How the requests ended. */
  readonly answers: Readonly<Record<string, number>>
  readonly announced: number | null
  readonly error: string | null
}

export interface SourceView extends ListedSource {
  /** Newest first. */
  readonly sweeps: readonly SweepView[]
  /** The last complete sweep and the one before it. */
  readonly complete: { readonly last: SweepView | null; readonly before: SweepView | null }
  /** `null` while it has never been swept, or is not swept by this directory any more. */
  readonly nextUs: TimestampUs | null
  readonly sweeping: boolean
  /** The last page that could not be read; its bytes are kept for the operator. */
  readonly failedPage: Pick<FailedPage, 'url' | 'atUs' | 'error'> | null
}

export interface SourcesView {
  readonly sources: readonly SourceView[]
}

/** Why items gave no route, of a source's newest sweep. */
export interface RefusalView {
  readonly reason: string
  readonly total: number
  /** At most 100. Untrusted. */
  readonly examples: readonly string[]
}

export interface SourcePageView extends SourceView {
  readonly refusals: readonly RefusalView[]
}
