import { formatTimestamp, type TimestampUs } from '../../domain/time/timestamp.ts'
import type { HiddenWriting } from '../../domain/words/hidden.ts'
import { HostTransaction } from '../hosts/host-transaction.ts'
import type { Store } from '../store.ts'
import { readReview } from './read-review.ts'

/**
 * Takes a review's text from every page and leaves a dated placeholder with the reason. The review, its signature and all
 * that counts of it stay as they are; an announcement says what happened. `undefined`: there is no such review.
 */
export const hideReview = (
  store: Store,
  id: string,
  nowUs: TimestampUs,
  reason: string,
): Promise<HiddenWriting | undefined> =>
  store.write(async (writer) => {
    const found = await readReview(writer, id)
    if (found === undefined) return undefined
    const { hostId, routeId, host } = found
    const atUs = found.hidden?.atUs ?? nowUs
    const transaction = new HostTransaction(writer, store.dialect)
    await transaction.hold([hostId])
    await writer
      .updateTable('reviews')
      .set({ hidden_us: atUs, hidden_reason: reason })
      .where('host_id', '=', hostId)
      .where('review_id', '=', id)
      .execute()
    await transaction.log.add(hostId, [{ kind: 'review_withdrawn', id, at: formatTimestamp(atUs), reason }])
    transaction.announce([{ hostId, routeId, atUs: nowUs, kind: 'review_hidden', data: { review: id, reason } }])
    await transaction.save()
    return { host, atUs }
  })
