import type { Outcome } from '../../domain/buyers/outcome.ts'
import type { Exclusion, PaymentFound, SupportLevel } from '../../domain/review.ts'
import type { JsonText } from './json-text.ts'

/** What buyers wrote, and the payments that support it. */
export interface ReviewTables {
  reviews: ReviewTable
  payment_claims: PaymentClaimTable
  review_checks: ReviewCheckTable
}

export interface ReviewTable {
  host_id: number
  review_id: string
  route_id: number
  url: string
  rating: number
  text: string
  wallet: string | null
  signature: string | null
  signed_at: string | null
  payment_network: string | null
  payment_transaction: string | null
  receipt: JsonText<Readonly<Record<string, unknown>>> | null
  level: SupportLevel
  level_reason: string | null
  excluded: Exclusion | null
  /** 1 when the wallet's newer review of the same route counts instead. */
  superseded: number
  submitted_us: number
  /** `walletKey` of `wallet`. */
  wallet_key: string | null
  payment_found: JsonText<PaymentFound> | null
  /** The host of the directory that it was signed for; null where the lines name none. */
  directory: string | null
  outcome: JsonText<Outcome> | null
  /** 1 when the outcome says that the call was served, 0 when it says that it was not. */
  served: number | null
  hidden_us: number | null
  hidden_reason: string | null
  /** Its entry in `log_entries`. */
  log_id: number | null
}

/** Which transfer supports which review: one each, across all hosts. */
interface PaymentClaimTable {
  /** CAIP-2 form. */
  network: string
  transaction_id: string
  log_index: number
  host_id: number
  review_id: string
}

/** Reviews whose payment is still to be looked at: not yet decided, or not yet final. Decided ones have no row. */
export interface ReviewCheckTable {
  host_id: number
  review_id: string
  due_us: number
  attempts: number
}
