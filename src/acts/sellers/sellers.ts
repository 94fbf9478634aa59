import type { SellerHost } from '../../domain/host.ts'
import type { FoundStatement } from '../../store/sellers/read-statements.ts'
import type { Claim } from '../../wire/sellers/records.ts'
import type { WriteGate } from '../reviews/reviews.ts'

/** Who may write how often; built for one request. Each function throws a `Problem` when the budget is spent. */
export interface SellerGate extends Pick<WriteGate, 'signing' | 'signed'> {
  /** Just before something is stored about a host: whoever proved to be its seller has one budget for it. */
  seller(host: SellerHost): void
}

export interface Claimed {
  readonly claim: Claim
  /** False: the wallet had claimed the host before. */
  readonly isNew: boolean
}

export interface Stated {
  readonly statement: FoundStatement
  /** False: the same wallet had sent the same statement before. */
  readonly isNew: boolean
}

/** The writing side of sellers. Both take the JSON of a body and reject with a `Problem` when it is not taken. */
export interface Sellers {
  claim(body: unknown, gate: SellerGate): Promise<Claimed>
  state(host: SellerHost, body: unknown, gate: SellerGate): Promise<Stated>
}
