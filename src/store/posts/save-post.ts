import { canonical } from '../../wire/log/canonical.ts'
import { type HostTransaction, type SaveOptions, saveBatch } from '../hosts/host-transaction.ts'
import type { Store } from '../store.ts'
import { restorePost } from './hide-post.ts'
import type { PostInput } from './post-input.ts'
import { postRecord } from './post-record.ts'

/** Stores a new post, or shows one again that was withdrawn for want of a payment, and announces it, in one transaction. */
export const savePost = (store: Store, post: PostInput, options: Pick<SaveOptions, 'also'> = {}): Promise<void> =>
  saveBatch(store, options, async (transaction) => {
    const { host, id, rail, postedUs } = post
    await transaction.claim([], [host])
    const hostId = transaction.hostIdOf(host)
    const added = await addPosts(transaction, [post])
    if (added === 0) await restorePost(transaction, hostId, post)
    transaction.announce([{ hostId, routeId: null, atUs: postedUs, kind: 'post', data: { post: id, rail } }])
  })

/** The posts of a batch whose hosts are claimed: stores those that are not there yet and counts them. How many these are. */
export async function addPosts(transaction: HostTransaction, inputs: readonly PostInput[]): Promise<number> {
  let added = 0
  for (const post of inputs) {
    const { log } = transaction
    const hostId = transaction.hostIdOf(post.host)
    await log.reserve(1)
    const placement = log.place(hostId, canonical(postRecord(post)))
    const inserted = await transaction.writer
      .insertInto('posts')
      .values({
        host_id: hostId,
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
        log_id: placement.id,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('post_id')
      .execute()
    if (inserted.length === 0) continue
    log.keep(placement)
    transaction.counts.add(hostId, 'posts', 1)
    added++
  }
  return added
}
