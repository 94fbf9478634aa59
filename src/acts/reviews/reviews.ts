import type { SellerHost } from '../../domain/host.ts'
import type { ReviewEvent, StoredReview } from '../../store/reviews/read-review.ts'

/**
 * Who may write how often; built for one request. Each function throws a `Problem` when the budget is spent, and counts
 * the write when it is not.
 */
export interface WriteGate {
  /** Before a signature is looked at: looking costs, whoever made it. */
  signing(): void
  /** Once the wallet is known to have signed something that is not stored yet: nobody spends the budget of another's wallet. */
  signed(wallet: string): void
  /** Just before an unsigned review is stored: refused ones cost nobody anything. */
  unsigned(host: SellerHost): void
}

export interface Submitted {
  readonly review: StoredReview
  /** What happened to it, oldest first. */
  readonly events: readonly ReviewEvent[]
  /** False: the same wallet had sent the same review before. */
  readonly isNew: boolean
}

/** The writing side of reviews. */
export interface Reviews {
  /** Takes the JSON of a body. Rejects with a `Problem` when the review is not taken. */
  submit(body: unknown, gate: WriteGate): Promise<Submitted>
}
