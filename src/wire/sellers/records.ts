import type { SellerHost } from '../../domain/host.ts'
import type { ProofSpan } from '../../domain/seller/proof.ts'
import type { StatementKind } from '../../domain/seller/statement.ts'
import { formatTimestamp, type TimestampUs } from '../../domain/time/timestamp.ts'
import type { Hidden } from '../../domain/words/hidden.ts'
import type { WrittenRecord } from '../records.ts'

/** A wallet that proved to speak for a host, with what proved it. */
export interface Claim {
  readonly host: SellerHost
  /** In the form of `parseWallet`. */
  readonly wallet: string
  /** As it stands in the signed lines. */
  readonly walletLine: string
  readonly signature: string
  readonly signedAt: string
  readonly directory: string | null
  readonly claimedUs: TimestampUs
  /** Oldest first. */
  readonly proofs: readonly ProofSpan[]
}

/** What a seller said. */
export interface Statement {
  readonly host: SellerHost
  readonly id: string
  readonly kind: StatementKind
  /** As it stands in the signed lines. */
  readonly about: string
  readonly text: string
  readonly wallet: string
  readonly signature: string
  readonly signedAt: string
  readonly directory: string | null
  readonly submittedUs: TimestampUs
  readonly hidden: Hidden | null
}

export const claimRecord = (claim: Claim): WrittenRecord => ({
  kind: 'claim',
  host: claim.host,
  wallet: claim.walletLine,
  signature: claim.signature,
  signed_at: claim.signedAt,
  directory: claim.directory,
  claimed_at: formatTimestamp(claim.claimedUs),
  proofs: claim.proofs.map(({ proof, sinceUs, seenUs, untilUs }) => ({
    proof,
    since: formatTimestamp(sinceUs),
    seen: formatTimestamp(seenUs),
    until: untilUs === null ? null : formatTimestamp(untilUs),
  })),
})

export const statementRecord = (statement: Statement): WrittenRecord => ({
  kind: 'statement',
  id: statement.id,
  host: statement.host,
  says: statement.kind,
  about: statement.about,
  text: statement.text,
  wallet: statement.wallet,
  signature: statement.signature,
  signed_at: statement.signedAt,
  directory: statement.directory,
  submitted_at: formatTimestamp(statement.submittedUs),
  hidden: statement.hidden && { at: formatTimestamp(statement.hidden.atUs), reason: statement.hidden.reason },
})
