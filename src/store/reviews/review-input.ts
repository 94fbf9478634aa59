import type { Outcome } from '../../domain/buyers/outcome.ts'
import type { Exclusion, PaymentFound, SupportLevel } from '../../domain/review.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Hidden } from '../../domain/words/hidden.ts'
import type { RouteRef } from '../hosts/route-ref.ts'

/** A review by an agent, with the server's finding about it. */
export interface ReviewInput extends RouteRef {
  readonly id: string
  /** The address that was reviewed: concrete where the listed route is a template. */
  readonly url: string
  readonly rating: number
  readonly text: string
  readonly level: SupportLevel
  readonly levelReason: string | null
  readonly excluded: Exclusion | null
  readonly superseded: boolean
  readonly wallet: string | null
  readonly signature: string | null
  readonly signedAt: string | null
  readonly payment: { readonly network: string; readonly transaction: string } | null
  readonly paymentFound: PaymentFound | null
  /** Host of the directory that it was signed for, where the lines say so. */
  readonly directory: string | null
  readonly receipt: Readonly<Record<string, unknown>> | null
  /** What the paid call brought, in the words of whoever paid. */
  readonly outcome: Outcome | null
  readonly submittedUs: TimestampUs
  readonly hidden: Hidden | null
  /** Its place in the evidence log, once it is stored and has one. */
  readonly logIndex?: number | undefined
}
