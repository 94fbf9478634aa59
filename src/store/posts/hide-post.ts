import { formatTimestamp, type TimestampUs } from '../../domain/time/timestamp.ts'
import type { Hidden, HiddenWriting } from '../../domain/words/hidden.ts'
import { HostTransaction } from '../hosts/host-transaction.ts'
import type { Store } from '../store.ts'
import type { PostInput } from './post-input.ts'
import { type PlacedPostRow, readPost } from './read-post.ts'

/** What everybody reads in the place of a post that nobody paid for. */
export const NO_PAYMENT_FOUND = 'no payment was found on chain'
/** What everybody reads in the place of a post whose payment a reorganisation has taken away. */
export const NO_LONGER_ON_CHAIN = 'its payment is no longer on chain'

/**
 * Takes a post's text from every page and leaves a dated placeholder with the reason. The post, its signature and the
 * payment stay stored; an announcement says what happened. `undefined`: there is no such post.
 */
export function hidePost(
  store: Store,
  id: string,
  nowUs: TimestampUs,
  reason: string,
): Promise<HiddenWriting | undefined> {
  return store.write(async (writer) => {
    const post = await readPost(writer, id)
    if (post === undefined) return undefined
    const atUs = post.hidden_us ?? nowUs
    const transaction = new HostTransaction(writer, store.dialect)
    await transaction.hold([post.host_id])
    await markHidden(transaction, post, { atUs, reason, nowUs })
    await transaction.save()
    return { host: post.host, atUs }
  })
}

/** Within a transaction that holds the post's host. */
export async function markHidden(
  transaction: HostTransaction,
  { host_id: hostId, post_id: id }: PlacedPostRow,
  { atUs, reason, nowUs }: Hidden & { readonly nowUs: TimestampUs },
): Promise<void> {
  await transaction.writer
    .updateTable('posts')
    .set({ hidden_us: atUs, hidden_reason: reason })
    .where('host_id', '=', hostId)
    .where('post_id', '=', id)
    .execute()
  await transaction.log.add(hostId, [{ kind: 'post_withdrawn', id, at: formatTimestamp(atUs), reason }])
  transaction.announce([{ hostId, routeId: null, atUs: nowUs, kind: 'post_hidden', data: { post: id, reason } }])
}

/** Within a transaction that holds the post's host: shows a post again whose payment was found after all. Never one that an operator hid. */
export async function restorePost(
  transaction: HostTransaction,
  hostId: number,
  { id, payment, postedUs: nowUs }: PostInput,
): Promise<void> {
  const { writer, log } = transaction
  const restored = await writer
    .updateTable('posts')
    .set({ hidden_us: null, hidden_reason: null, payment_transaction: payment.transaction })
    .where('host_id', '=', hostId)
    .where('post_id', '=', id)
    .where('hidden_reason', 'in', [NO_PAYMENT_FOUND, NO_LONGER_ON_CHAIN])
    .executeTakeFirst()
  if (restored.numUpdatedRows > 0n) await log.add(hostId, [{ kind: 'post_restored', id, at: formatTimestamp(nowUs) }])
}
