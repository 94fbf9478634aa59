import { sql } from 'kysely'
import { keptSpans, type ProofSpan } from '../../domain/seller/proof.ts'
import { walletKey } from '../../domain/wallet.ts'
import type { Claim } from '../../wire/sellers/records.ts'
import type { ClaimProofTable, ClaimTable, Reader } from '../schema.ts'
import { groupBy } from '../sql/group.ts'
import { logIndexOf } from '../sql/log-index.ts'
import type { StorePart } from '../sql/parts.ts'
import { RememberedStatement } from '../sql/remembered.ts'

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

/** Who proved to speak for a host, the first one first: all of them, however many. */
export async function readClaims(reader: Reader, hostId: number): Promise<StoredClaim[]> {
  const claims = await claimsOf(reader, hostId).orderBy('claimed_us').orderBy('wallet_key').execute()
  return withSpans(claims, claims.length === 0 ? [] : await spansOf(reader, hostId).execute())
}

/** Whether anybody ever proved to. Few hosts have somebody, and pages ask with every request. */
export const isClaimed = async (part: StorePart, hostId: number): Promise<boolean> =>
  (await CLAIMED.run(part, { hostId })).length > 0

const CLAIMED = new RememberedStatement(
  { hostId: 0 },
  (_, { hostId }) => sql`select 1 as one from claims where host_id = ${hostId} limit 1`,
)

export type ClaimPosition = readonly [claimedUs: number, walletKey: string]

/** The place of a claim among those of its host. */
export const claimPosition = ({ claimedUs, wallet }: StoredClaim): ClaimPosition => [claimedUs, walletKey(wallet)]

/** Claims to a host, the newest first. */
export async function readClaimPage(
  reader: Reader,
  hostId: number,
  before: ClaimPosition | null,
  limit: number,
): Promise<StoredClaim[]> {
  const all = newestFirst(reader, hostId).limit(limit)
  const page = before === null ? all : all.where(sql<boolean>`(claimed_us, wallet_key) < (${sql.join(before)})`)
  return withOwnSpans(reader, hostId, await page.execute())
}

/** Whose proofs hold, the newest first; where nobody's do, who spoke last. */
export async function readSpeaking(reader: Reader, hostId: number, most: number): Promise<StoredClaim[]> {
  const holds = sql<boolean>`exists (select 1 from claim_proofs as p where p.host_id = claims.host_id
    and p.wallet_key = claims.wallet_key and p.until_us is null)`
  const speaking = await newestFirst(reader, hostId).where(holds).limit(most).execute()
  return speaking.length > 0 ? withOwnSpans(reader, hostId, speaking) : readClaimPage(reader, hostId, null, 1)
}

export async function countClaims(reader: Reader, hostId: number): Promise<number> {
  const found = await sql<{ n: number }>`select count(*) as n from claims where host_id = ${hostId}`.execute(reader)
  return found.rows[0]?.n ?? 0
}

const newestFirst = (reader: Reader, hostId: number) =>
  claimsOf(reader, hostId).orderBy('claimed_us', 'desc').orderBy('wallet_key', 'desc')

async function withOwnSpans(reader: Reader, hostId: number, claims: readonly ClaimRow[]): Promise<StoredClaim[]> {
  const keys = claims.map(({ wallet_key }) => wallet_key)
  return withSpans(
    claims,
    keys.length === 0 ? [] : await spansOf(reader, hostId).where('wallet_key', 'in', keys).execute(),
  )
}

function withSpans(claims: readonly ClaimRow[], proofs: readonly ClaimProofTable[]): StoredClaim[] {
  const spans = groupBy(proofs, ({ wallet_key }) => wallet_key)
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
