import type { Deltas } from './deltas.ts'
import type { PostInput } from './evidence.ts'
import type { Writer } from './schema.ts'

/** Stores posts that are not there yet and counts them. */
export async function savePosts(
  writer: Writer,
  deltas: Deltas,
  inputs: readonly (PostInput & { readonly hostId: number })[],
): Promise<void> {
  for (const post of inputs) {
    const inserted = await writer
      .insertInto('posts')
      .values({
        host_id: post.hostId,
        post_id: post.id,
        text: post.text,
        wallet: post.wallet,
        signature: post.signature,
        signed_at: post.signedAt,
        posted_us: post.postedUs,
        rail: post.rail,
        payment_network: post.payment.network,
        payment_transaction: post.payment.transaction,
        payer: post.payment.payer,
        hidden_us: post.hidden?.atUs ?? null,
        hidden_reason: post.hidden?.reason ?? null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('post_id')
      .execute()
    if (inserted.length > 0) deltas.add(post.hostId, 'posts', 1)
  }
}
