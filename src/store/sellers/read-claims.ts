import { keptSpans, type ProofSpan } from '../../domain/seller/proof.ts'
import { walletKey } from '../../domain/wallet.ts'
import type { Claim } from '../../wire/sellers/records.ts'
import type { ClaimProofTable, ClaimTable, Reader } from '../schema.ts'
import { groupBy } from '../sql/group.ts'
import { logIndexOf } from '../sql/log-index.ts'

/** A claim without the name of its host. */
export interface StoredClaim extends Omit<Claim, 'host'> {
  /** Its place in the log; `undefined` until it has one. */
  readonly logIndex?: number | undefined
}

type ClaimRow = ClaimTable & { readonly log_index: number | null }

const spanOf = ({ proof, since_us, seen_us, until_us }: ClaimProofTable): ProofSpan => ({
  proof,
  sinceUs: since_us,
  seenUs: seen_us,
  untilUs: until_us,
})

const claimOf = (row: ClaimRow, spans: readonly ProofSpan[]): StoredClaim => ({
  wallet: row.wallet,
  walletLine: row.wallet_line,
  signature: row.signature,
  signedAt: row.signed_at,
  directory: row.directory,
  claimedUs: row.claimed_us,
  // Earlier versions stored them without a bound.
  proofs: keptSpans(spans),
  logIndex: row.log_index ?? undefined,
})

const claimsOf = (reader: Reader, hostId: number) =>
  reader
    .selectFrom('claims')
    .selectAll()
    .select(logIndexOf('claims.log_id').as('log_index'))
    .where('host_id', '=', hostId)

const spansOf = (reader: Reader, hostId: number) =>
  reader.selectFrom('claim_proofs').selectAll().where('host_id', '=', hostId).orderBy('since_us').orderBy('proof')

/** Who proved to speak for a host, the first one first. Few hosts have any, and those few. */
export async function readClaims(reader: Reader, hostId: number): Promise<StoredClaim[]> {
  const claims = await claimsOf(reader, hostId).orderBy('claimed_us').orderBy('wallet_key').execute()
  if (claims.length === 0) return []
  const spans = groupBy(await spansOf(reader, hostId).execute(), ({ wallet_key }) => wallet_key)
  return claims.map((row) => claimOf(row, (spans.get(row.wallet_key) ?? []).map(spanOf)))
}

/** `undefined`: the wallet never proved to speak for the host. */
export async function readClaim(reader: Reader, hostId: number, wallet: string): Promise<StoredClaim | undefined> {
  const row = await claimsOf(reader, hostId).where('wallet_key', '=', walletKey(wallet)).executeTakeFirst()
  return row && claimOf(row, await readSpans(reader, hostId, wallet))
}

/** All that are stored of a wallet's proofs, oldest first. */
export async function readSpans(reader: Reader, hostId: number, wallet: string): Promise<ProofSpan[]> {
  const rows = await spansOf(reader, hostId).where('wallet_key', '=', walletKey(wallet)).execute()
  return rows.map(spanOf)
}
