import { sql } from 'kysely'
import type { SellerHost } from '../../domain/host.ts'
import { type Settlement, settlementOf } from '../../domain/money/settlement.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Reader } from '../schema.ts'
import type { PostInput } from './post-input.ts'
import { POST_FIELDS, type PostRow } from './read-posts.ts'

/** Where a post is. */
export interface PlacedPostRow extends PostRow {
  readonly host_id: number
  readonly host: SellerHost
}

/** The post with this id, whose host the id does not name; of several (only an import can bring that) always the same. */
export async function readPost(reader: Reader, id: string): Promise<PlacedPostRow | undefined> {
  const found = await sql<PlacedPostRow>`select ${POST_FIELDS}, posts.host_id,
      (select h.name from hosts as h where h.host_id = posts.host_id) as host
    from posts where post_id = ${id} order by posts.host_id limit 1`.execute(reader)
  return found.rows[0]
}

/** What a stranger verifies a payment with; null: its record is not here. */
export interface PaymentReceipt {
  readonly settlement: Settlement | null
  readonly asset: string | null
  /** In the asset's base units. */
  readonly amount: string | null
  readonly payee: string | null
  /** Null also when no node has seen the transfer. */
  readonly logIndex: number | null
  readonly settledUs: TimestampUs | null
}

/** A post with what is known here of its payment; null: its record is not here. */
export interface FoundPost extends PostInput {
  readonly payment: PostInput['payment'] & PaymentReceipt
}

/** One post of any host, hidden ones too. */
export async function findPost(reader: Reader, id: string): Promise<FoundPost | undefined> {
  const row = await readPost(reader, id)
  return row && { host: row.host, ...postOf(row) }
}

/** What a row says of a post, without where it is. */
export const postOf = (row: PostRow): Omit<FoundPost, 'host'> => ({
  id: row.post_id,
  text: row.text,
  wallet: row.wallet,
  signature: row.signature,
  signedAt: row.signed_at,
  postedUs: row.posted_us,
  rail: row.rail,
  payment: {
    network: row.payment_network,
    transaction: row.payment_transaction,
    payer: row.payer,
    settlement: row.log_index === null ? null : settlementOf(row.rail, row.log_index),
    asset: row.payment_asset,
    amount: row.payment_amount,
    payee: row.payment_payee,
    logIndex: row.log_index === null || row.log_index < 0 ? null : row.log_index,
    settledUs: row.settled_us,
  },
  hidden: row.hidden_us === null ? null : { atUs: row.hidden_us, reason: row.hidden_reason ?? '' },
  logIndex: row.evidence_index ?? undefined,
})
