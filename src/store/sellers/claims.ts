import { sql } from 'kysely'
import { joinedSpans, keptSpans, type Look, type ProofSpan, spanKey, spansAfter } from '../../domain/seller/proof.ts'
import { DAY_US } from '../../domain/time/day.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { walletKey } from '../../domain/wallet.ts'
import type { Claim } from '../../wire/sellers/records.ts'
import { HostTransaction } from '../hosts/host-transaction.ts'
import { excludeSellers, newSellers, reviewedHosts } from '../reviews/exclude.ts'
import { ReviewMoves } from '../reviews/review-standing.ts'
import type { Writer } from '../schema.ts'
import type { Store } from '../store.ts'
import { logClaims } from './log-sellers.ts'
import { readClaim, readSpans } from './read-claims.ts'

/** Every proof is looked at again this often. */
const LOOK_EVERY_US = DAY_US

export type NewClaim = Omit<Claim, 'proofs' | 'claimedUs' | 'host'> & { readonly hostId: number }

/**
 * Keeps a claim with what a look at its proofs found; the wallet's earlier claim to the host stays. Answers whether it is
 * the first. What is learnt of who sells counts for reviews too.
 */
export const saveClaim = (
  store: Store,
  claim: NewClaim,
  looks: readonly Look[],
  nowUs: TimestampUs,
): Promise<boolean> =>
  store.write(async (writer) => {
    const transaction = new HostTransaction(writer, store.dialect, nowUs)
    await transaction.hold([claim.hostId, ...(await movedHere(writer, claim.hostId))])
    const isNew = await addClaim(transaction, { ...claim, claimedUs: nowUs }, nowUs + LOOK_EVERY_US)
    await keepLooks(transaction, claim.hostId, claim.wallet, looks, nowUs)
    await transaction.save()
    return isNew
  })

/** Keeps what a later look found; when the wallet has no claim, nothing. */
export async function saveLooks(
  store: Store,
  { hostId, wallet }: { readonly hostId: number; readonly wallet: string },
  looks: readonly Look[],
  nowUs: TimestampUs,
): Promise<void> {
  // Strangers who claim what is not theirs change nothing of the host, not even its version.
  if ((await readClaim(store.read, hostId, wallet)) === undefined) return
  await store.write(async (writer) => {
    const transaction = new HostTransaction(writer, store.dialect, nowUs)
    await transaction.hold([hostId, ...(await movedHere(writer, hostId))])
    await keepLooks(transaction, hostId, wallet, looks, nowUs)
    await transaction.save()
  })
}

/** Hosts whose sellers said that they moved to this one: what their pages say of it depends on its claims. */
async function movedHere(writer: Writer, hostId: number): Promise<number[]> {
  const host = await writer.selectFrom('hosts').select('name').where('host_id', '=', hostId).executeTakeFirst()
  if (host === undefined) return []
  const moved = await writer.selectFrom('retirements').select('host_id').where('moved_to', '=', host.name).execute()
  return moved.map(({ host_id }) => host_id)
}

/** In a transaction that holds the host. */
export async function addClaim(
  transaction: HostTransaction,
  claim: NewClaim & Pick<Claim, 'claimedUs'>,
  dueUs: TimestampUs,
): Promise<boolean> {
  const { writer, dialect } = transaction
  const { hostId, wallet } = claim
  const key = walletKey(wallet)
  const reviewed = await reviewedHosts(writer, dialect, new Set([hostId]))
  const sellers = reviewed.has(hostId) ? await newSellers(writer, dialect, [{ hostId, key }]) : []
  const inserted = await writer
    .insertInto('claims')
    .values({
      host_id: hostId,
      wallet_key: key,
      wallet,
      wallet_line: claim.walletLine,
      signature: claim.signature,
      signed_at: claim.signedAt,
      directory: claim.directory,
      claimed_us: claim.claimedUs,
      due_us: dueUs,
      log_id: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('host_id')
    .execute()
  await excludeSellers(new ReviewMoves(transaction), sellers)
  return inserted.length > 0
}

async function keepLooks(
  transaction: HostTransaction,
  hostId: number,
  wallet: string,
  looks: readonly Look[],
  nowUs: TimestampUs,
): Promise<void> {
  const { writer } = transaction
  const claim = await readClaim(writer, hostId, wallet)
  if (claim === undefined) return
  const spans = spansAfter(claim.proofs, looks, nowUs)
  await addProofs(transaction, hostId, wallet, spans)
  const before = new Map(claim.proofs.map((span) => [spanKey(span), span]))
  for (const span of spans) {
    const known = before.get(spanKey(span))
    const told = { claim: claim.wallet, proof: span.proof }
    const at = { hostId, routeId: null, atUs: nowUs }
    if (known === undefined) transaction.announce([{ ...at, kind: 'claim_proven', data: told }])
    else if (known.untilUs !== span.untilUs) transaction.announce([{ ...at, kind: 'claim_ended', data: told }])
  }
  await sql`update claims set due_us = ${nowUs + LOOK_EVERY_US}
    where host_id = ${hostId} and wallet_key = ${walletKey(wallet)}`.execute(writer)
}

/**
 * The same span again keeps the later sight of it, and its end; what is more than a claim keeps goes. When anything begins,
 * ends or goes, the claim is logged as it is then.
 */
export async function addProofs(
  transaction: HostTransaction,
  hostId: number,
  wallet: string,
  spans: readonly ProofSpan[],
): Promise<void> {
  const { writer } = transaction
  const before = await readSpans(writer, hostId, wallet)
  const after = keptSpans(joinedSpans(before, spans))
  const known = new Map(before.map((span) => [spanKey(span), span]))
  for (const span of after) {
    const { proof, sinceUs, seenUs, untilUs } = span
    const there = known.get(spanKey(span))
    known.delete(spanKey(span))
    if (there?.seenUs === seenUs && there.untilUs === untilUs) continue
    await sql`insert into claim_proofs (host_id, wallet_key, proof, since_us, seen_us, until_us)
      values (${hostId}, ${walletKey(wallet)}, ${proof}, ${sinceUs}, ${seenUs}, ${untilUs})
      on conflict (host_id, wallet_key, proof, since_us) do update
        set seen_us = excluded.seen_us, until_us = excluded.until_us`.execute(writer)
  }
  for (const { proof, sinceUs } of known.values())
    await sql`delete from claim_proofs where host_id = ${hostId} and wallet_key = ${walletKey(wallet)}
      and proof = ${proof} and since_us = ${sinceUs}`.execute(writer)
  if (proofsText(before) === proofsText(after)) return
  const claim = await readClaim(writer, hostId, wallet)
  if (claim !== undefined) await logClaims(transaction, hostId, [claim])
}

const proofsText = (spans: readonly ProofSpan[]): string =>
  spans
    .map((span) => `${spanKey(span)} ${span.untilUs}`)
    .toSorted()
    .join()

export interface DueClaim {
  readonly hostId: number
  readonly host: string
  readonly wallet: string
}

/** Takes the claims that have been due for the longest. One whose taker died is due again when the lease is over. */
export async function takeClaims(
  store: Store,
  nowUs: TimestampUs,
  leaseUs: number,
  most: number,
): Promise<readonly DueClaim[]> {
  // After a write, even an empty one, every page is looked at again.
  const first = await sql<{ due_us: number | null }>`select min(due_us) as due_us from claims`.execute(store.read)
  if ((first.rows[0]?.due_us ?? Number.POSITIVE_INFINITY) > nowUs) return []
  return store.write(async (writer) => {
    const taken = await sql<{ host_id: number; wallet: string }>`with due as materialized (
        select host_id, wallet_key from claims where due_us <= ${nowUs} order by due_us
        limit ${most} ${store.dialect.skipLocked})
      update claims set due_us = ${nowUs + leaseUs}
      where due_us <= ${nowUs} and (host_id, wallet_key) in (select host_id, wallet_key from due)
      returning host_id, wallet`.execute(writer)
    const ids = [...new Set(taken.rows.map((row) => row.host_id))]
    if (ids.length === 0) return []
    const hosts = await writer.selectFrom('hosts').selectAll().where('host_id', 'in', ids).execute()
    const names = new Map(hosts.map((row) => [row.host_id, row.name]))
    return taken.rows.map((row) => ({ hostId: row.host_id, host: names.get(row.host_id) ?? '', wallet: row.wallet }))
  })
}
