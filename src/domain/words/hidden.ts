import type { SellerHost } from '../host.ts'
import type { TimestampUs } from '../time/timestamp.ts'

/** What stands in the place of words that were taken away. */
export interface Hidden {
  /** When they were hidden first: a second time changes the reason only. */
  readonly atUs: TimestampUs
  /** Everybody reads it. */
  readonly reason: string
}

/** A writing that was hidden, and of which host it is. */
export interface HiddenWriting extends Pick<Hidden, 'atUs'> {
  readonly host: SellerHost
}

/** A writing as it is shown: words that were taken away are shown nowhere. */
export const withoutHidden = <T extends { readonly text: string; readonly hidden: Hidden | null }>(said: T): T =>
  said.hidden === null ? said : { ...said, text: '' }
