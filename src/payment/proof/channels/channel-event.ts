import type { Hex } from 'viem'

/** Who pays whom in which asset, fixed when a channel is opened. */
export interface Deal {
  readonly payer: string
  readonly payee: string
  readonly asset: string
}

/** What a transaction did to a channel. */
export type ChannelEvent = {
  readonly channel: Hex
  /** Of its log in the transaction. */
  readonly place: number
} & (
  | { readonly kind: 'opened'; readonly deal: Deal }
  /** More was put into it. */
  | { readonly kind: 'filled' }
  /** So much is the payee's for good. */
  | { readonly kind: 'paid'; readonly deal: Deal; readonly amount: bigint }
  | { readonly kind: 'refunded'; readonly amount: bigint }
  | { readonly kind: 'closed' }
)
