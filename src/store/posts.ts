import { z } from 'zod'
import { RAILS } from '../domain/route.ts'
import type { PostInput } from './evidence.ts'
import { readPost } from './read-post.ts'
import type { Reader } from './schema.ts'

const rails = z.enum(RAILS)

/** One post of any host, hidden ones too. */
export async function findPost(reader: Reader, id: string): Promise<PostInput | undefined> {
  const row = await readPost(reader, id)
  return (
    row && {
      host: row.host,
      id: row.post_id,
      text: row.text,
      wallet: row.wallet,
      signature: row.signature,
      signedAt: row.signed_at,
      postedUs: row.posted_us,
      rail: rails.parse(row.rail),
      payment: { network: row.payment_network, transaction: row.payment_transaction, payer: row.payer },
      hidden: row.hidden_us === null ? null : { atUs: row.hidden_us, reason: row.hidden_reason ?? '' },
    }
  )
}
