import { z } from 'zod'
import { RAILS } from '../domain/route.ts'
import { type Settlement, settlementOf } from '../domain/settlement.ts'
import type { PostInput } from './evidence.ts'
import { readPost } from './read-post.ts'
import type { Reader } from './schema.ts'

const rails = z.enum(RAILS)

/** A post with what is known here of its payment; null: its record is not here. */
export interface FoundPost extends PostInput {
  readonly payment: PostInput['payment'] & { readonly settlement: Settlement | null }
}

/** One post of any host, hidden ones too. */
export async function findPost(reader: Reader, id: string): Promise<FoundPost | undefined> {
  const row = await readPost(reader, id)
  if (row === undefined) return undefined
  const rail = rails.parse(row.rail)
  return {
    host: row.host,
    id: row.post_id,
    text: row.text,
    wallet: row.wallet,
    signature: row.signature,
    signedAt: row.signed_at,
    postedUs: row.posted_us,
    rail,
    payment: {
      network: row.payment_network,
      transaction: row.payment_transaction,
      payer: row.payer,
      settlement: row.log_index === null ? null : settlementOf(rail, row.log_index),
    },
    hidden: row.hidden_us === null ? null : { atUs: row.hidden_us, reason: row.hidden_reason ?? '' },
  }
}
