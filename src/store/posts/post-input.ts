import type { SellerHost } from '../../domain/host.ts'
import type { Rail } from '../../domain/route.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Hidden } from '../../domain/words/hidden.ts'

/** A paid post in a host's thread. */
export interface PostInput {
  readonly host: SellerHost
  readonly id: string
  readonly text: string
  readonly wallet: string
  readonly signature: string
  readonly signedAt: string
  readonly postedUs: TimestampUs
  readonly rail: Rail
  readonly payment: { readonly network: string; readonly transaction: string; readonly payer: string }
  readonly hidden: Hidden | null
  /** Its place in the evidence log, once it is stored and has one. */
  readonly logIndex?: number | undefined
}
