import type { Retirement } from '../../domain/seller/statement.ts'
import type { Claim, Statement } from '../../wire/sellers/records.ts'

/** What a seller said. Its text is untrusted: quoted in every representation; empty when hidden. */
export interface StatementView extends Statement {
  /** Its place in the log; `undefined` until it has one. */
  readonly logIndex?: number | undefined
}

/** A wallet that speaks for a host, or did. */
export interface ClaimView extends Omit<Claim, 'host'> {
  /** As in `StatementView`. */
  readonly logIndex?: number | undefined
}

export interface RetiredView extends Omit<Retirement, 'routeId'> {
  /** It moved, and the wallet that said so does not speak for the new host any more: `movedTo` is `null`. */
  readonly isMoveLost?: boolean
}

/** What a host view says of its seller, apart from all evidence. */
export interface SellerPart {
  /** Those whose proofs hold, a few, the newest first; where none does, the one who spoke last. */
  readonly claims: readonly ClaimView[]
  /** Of all claims, also those whose proofs ended. */
  readonly claimsTotal: number
  /** Of the whole host. */
  readonly retired: RetiredView | null
  /** About the host itself, the newest of each kind, and what other wallets that speak now say otherwise. */
  readonly said: readonly StatementView[]
}

export const NO_SELLER: SellerPart = { claims: [], claimsTotal: 0, retired: null, said: [] }

/** One statement with everything that is needed to verify it without asking anybody. */
export interface StatementPage {
  readonly statement: StatementView
  /** Of the text as it was signed, also when it is hidden. */
  readonly textSha256: string
  /** The lines that the wallet signed. */
  readonly message: string
}
