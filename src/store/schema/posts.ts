import type { Generated } from 'kysely'
import type { PaymentState } from '../../domain/money/payment.ts'
import type { Rail } from '../../domain/route.ts'

/** Posts, and the payments for them. */
export interface PostTables {
  posts: PostTable
  payments: PaymentTable
  payment_story: PaymentStoryTable
}

export interface PostTable {
  host_id: number
  post_id: string
  text: string
  wallet: string
  signature: string
  signed_at: string
  posted_us: number
  rail: Rail
  payment_network: string
  payment_transaction: string
  payer: string
  hidden_us: number | null
  hidden_reason: string | null
  /** Its entry in `log_entries`. */
  log_id: Generated<number | null>
}

/** One row per authorisation that somebody asked us to settle. Rows are never removed. */
export interface PaymentTable {
  /** Unique across hosts: one authorisation pays once. */
  payment_key: string
  host_id: number
  rail: Rail
  state: PaymentState
  network: string
  asset: string
  payer: string
  payee: string
  /** In the asset's base units. */
  amount: string
  /** SHA-256 of what was asked for: another request with the same credential is refused. */
  request_hash: string
  /** JSON: the post that is published when the payment is settled. */
  intent: string
  transaction_id: string | null
  created_us: number
  updated_us: number
  /** The client's own name for the payment (`payment-identifier`), unique per payer. */
  identifier: string | null
  post_id: string
  /** After this time the authorisation moves nothing any more. */
  expires_us: number
  /** Where a search of the chain starts. */
  from_block: number
  /** What settling needs: the credential. Cleared when it is settled. */
  raw: string | null
  /** Why it is not settled, in the directory's own words. */
  reason: string | null
  /** Of the transfer within its transaction; -1 when no node was asked. */
  log_index: number
  /** When reconciliation looks at it next; null when it is decided, and seen on chain if it was paid. */
  due_us: number | null
  attempts: number
  /**
   * Wallet and signed lines (`messageKeyOf`), unique among pending and settled payments: one signed message is charged
   * once. Null where a third party used a second authorisation for the same message.
   */
  message_key: string | null
  /** The client's own name for the request (`Idempotency-Key`), unique per payer. */
  idempotency_key: string | null
}

/** A step of a payment's story: what was done about it and what was answered. */
interface PaymentStoryTable {
  payment_key: string
  n: number
  act: string
  said: string
  first_us: number
  last_us: number
  /** How often it came again without anything new. */
  times: number
}
