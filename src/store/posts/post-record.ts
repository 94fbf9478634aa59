import { formatTimestamp } from '../../domain/time/timestamp.ts'
import { type LoggedRecord, loggedOf } from '../../wire/log/logged-record.ts'
import type { PostInput } from './post-input.ts'

/** What the log says of a post. */
export function postRecord(post: PostInput): LoggedRecord | null {
  const { network, transaction, payer } = post.payment
  return loggedOf({
    kind: 'post',
    id: post.id,
    host: post.host,
    text: post.text,
    wallet: post.wallet,
    signature: post.signature,
    signed_at: post.signedAt,
    posted_at: formatTimestamp(post.postedUs),
    rail: post.rail,
    payment: { network, transaction, payer },
    hidden: post.hidden && { at: formatTimestamp(post.hidden.atUs), reason: post.hidden.reason },
  })
}
