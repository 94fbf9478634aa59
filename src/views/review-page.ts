import type { SellerHost } from '../domain/host.ts'
import type { TimestampUs } from '../domain/timestamp.ts'
import type { ReviewView } from './host-view.ts'

/** Something that happened to a review. */
export interface ReviewEventView {
  readonly kind: string
  readonly atUs: TimestampUs
  readonly data: Readonly<Record<string, unknown>>
}

/** One review with everything that is needed to verify it without asking anybody. */
export interface ReviewPage {
  readonly host: SellerHost
  readonly review: ReviewView & { readonly receipt: Readonly<Record<string, unknown>> | null }
  /** Oldest first. */
  readonly events: readonly ReviewEventView[]
  /** Of the text, lower-case hex. */
  readonly textSha256: string
  /** The seven lines that the wallet signed; null when nobody did. */
  readonly message: string | null
}
