import type { MicroDollars } from '../../domain/money/price.ts'
import type { PaymentFound } from '../../domain/review.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'

/** A payment that a review names, with what this directory knows about the route. */
export interface ProofRequest {
  /** As the review wrote it. */
  readonly network: string
  readonly transaction: string
  /** The signing wallet, in the form of `parseWallet`. */
  readonly wallet: string
  /** Who was seen to be paid on the route, by a listing or a live challenge. */
  readonly payees: readonly SeenPayee[]
  /** Every price seen for the route. */
  readonly prices: readonly SeenPrice[]
  /** When the review came in: the payment must be older. */
  readonly submittedUs: TimestampUs
}

export interface SeenPayee {
  readonly network: string
  readonly payee: string
  /** Never seen to be paid alone, only to share in what another is paid. */
  readonly isSharer?: boolean
}

export interface SeenPrice {
  /** Null: said for any network. */
  readonly network: string | null
  /** Null: what is asked for there is not known in dollars. */
  readonly price: MicroDollars | null
  /** Asked for by a live challenge, not said by a source. */
  readonly isAsked?: boolean
  readonly firstUs: TimestampUs
  readonly lastUs: TimestampUs
}

/** One transfer that supports the review. What the chain alone cannot say is added by the caller. */
export type Transfer = Omit<PaymentFound, 'otherHosts' | 'hasReceipt'>

export type Proof =
  /** At least one; in order of their place in the transaction. `network` and `transaction` are in their one form, for claims. */
  | {
      readonly kind: 'found'
      readonly network: string
      readonly transaction: string
      readonly transfers: readonly [Transfer, ...Transfer[]]
    }
  /** Decided: the payment does not support the review. */
  | { readonly kind: 'none'; readonly reason: string }
  /** The node does not answer, or the transaction has too few confirmations: to be asked again. */
  | {
      readonly kind: 'unknown'
      readonly reason: string
      /**
       * The node is in order and does not know the transaction, which may still come. One that was found before has been
       * reorganised away: it supports the review no longer, and would again if it came back.
       */
      readonly isMissing?: boolean
    }

/** Looks for public payments. Never rejects. */
export interface Proofs {
  find(request: ProofRequest): Promise<Proof>
}
