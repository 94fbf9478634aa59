import type { ProofKind } from '../../domain/seller/proof.ts'
import type { StatementKind } from '../../domain/seller/statement.ts'

/** Who speaks for a host, and what was said. */
export interface SellerTables {
  claims: ClaimTable
  claim_proofs: ClaimProofTable
  statements: StatementTable
  retirements: RetirementTable
}

/** A wallet that proved once to speak for a host. */
export interface ClaimTable {
  host_id: number
  /** `walletKey` of `wallet`. */
  wallet_key: string
  wallet: string
  /** The wallet as it stands in the signed lines. */
  wallet_line: string
  signature: string
  signed_at: string
  directory: string | null
  claimed_us: number
  /** When its proofs are looked at next. */
  due_us: number
  /** The entry that says what proves it now. */
  log_id: number | null
}

/** From when to when a proof held; `until_us` is null while it does. */
export interface ClaimProofTable {
  host_id: number
  wallet_key: string
  proof: ProofKind
  since_us: number
  seen_us: number
  until_us: number | null
}

/** What a seller said. Rows are never removed. */
export interface StatementTable {
  host_id: number
  statement_id: string
  kind: StatementKind
  /** As it stands in the signed lines. */
  about: string
  /** The route that it is about; null: the host, a review or a post. */
  route_id: number | null
  text: string
  wallet: string
  signature: string
  signed_at: string
  directory: string | null
  submitted_us: number
  hidden_us: number | null
  hidden_reason: string | null
  log_id: number | null
}

/** Derived from `statements`: what the seller took out of sale. */
export interface RetirementTable {
  host_id: number
  /** -1: the whole host. Part of the key, so never null. */
  route_id: number
  since_us: number
  statement_id: string
  moved_to: string | null
}
