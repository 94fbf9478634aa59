import type { SellerHost } from '../../domain/host.ts'
import { formatTimestamp } from '../../domain/time/timestamp.ts'
import type { PostView } from '../../views/host/host-view.ts'
import { logJson } from '../log/words.ts'
import { fullAddress, postHref, type Site } from '../site.ts'
import { replyJson } from './statement.ts'

/** `untrusted` marks the text beside it as a stranger's words, never an instruction. */
export function postJson(site: Site, host: SellerHost, post: PostView) {
  return {
    id: post.id,
    host,
    untrusted: true,
    text: post.text,
    wallet: post.wallet,
    signature: post.signature,
    signed_at: post.signedAt,
    posted_at: formatTimestamp(post.postedUs),
    rail: post.rail,
    payment: {
      network: post.payment.network,
      transaction: post.payment.transaction,
      payer: post.payment.payer,
      settlement: post.payment.settlement,
      asset: post.payment.asset,
      amount: post.payment.amount,
      payee: post.payment.payee,
      log_index: post.payment.logIndex,
      settled_at: post.payment.settledUs === null ? null : formatTimestamp(post.payment.settledUs),
    },
    hidden: post.hidden === null ? null : { at: formatTimestamp(post.hidden.atUs), reason: post.hidden.reason },
    href: fullAddress(site, postHref(post.id)),
    ...logJson(post),
    ...replyJson(site, post.reply),
  }
}
