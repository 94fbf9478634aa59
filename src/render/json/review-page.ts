import { formatTimestamp } from '../../domain/time/timestamp.ts'
import type { ReviewPage } from '../../views/review-page.ts'
import { checkCommand } from '../review-words.ts'
import { apiHostHref, fullAddress, type Site } from '../site.ts'
import { reviewJson } from './review.ts'

/** One review with what verifies it offline: `message` are the lines that `signature` is over, null when nobody signed. */
export const reviewPageJson = (site: Site, { host, review, events, textSha256, message }: ReviewPage) => ({
  ...reviewJson(site, review),
  host,
  receipt: review.receipt,
  text_sha256: textSha256,
  message,
  verify: message === null ? null : checkCommand(site, review),
  events: events.map(({ kind, atUs, data: { review: _, ...data } }) => ({
    event: kind,
    date: formatTimestamp(atUs),
    ...data,
  })),
  host_href: fullAddress(site, apiHostHref(host)),
})
