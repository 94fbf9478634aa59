import { orNoData } from '../domain/count.ts'
import type { Settlement } from '../domain/money/settlement.ts'
import { formatTimestamp } from '../domain/time/timestamp.ts'
import type { PostView } from '../views/host/host-view.ts'
import { timeText } from './values.ts'

/** The facts about a post by name, the same in every text view. All are the directory's own words but the wallet's and chain's. */
export const postFacts = (post: PostView): readonly (readonly [name: string, value: string])[] => [
  ['wallet', post.wallet],
  ['signed at', post.signedAt],
  ['posted at', formatTimestamp(post.postedUs)],
  ['rail', post.rail],
  ['payment', `${post.payment.transaction} on ${post.payment.network} by ${post.payment.payer}`],
  ['settlement', settlementText(post.payment.settlement)],
]

/** A payment that no node of ours has seen is never shown without saying so. */
const settlementText = (settlement: Settlement | null): string =>
  settlement === 'as the facilitator says' ? `${settlement}; not seen on chain by this directory` : orNoData(settlement)

/** What stands in the place of a text that was taken down. The reason is the operator's. */
export const hiddenLine = (hidden: NonNullable<PostView['hidden']>): string =>
  `Hidden ${timeText(hidden.atUs)}: ${hidden.reason}`
