import { NO_DATA } from '../../domain/count.ts'
import type { ReviewView } from '../../views/host/host-view.ts'
import { inLog } from '../log/in-log-markdown.ts'
import { EXCLUDED_HEADING, paymentLines, reviewMarks, splitReviews } from '../review-words.ts'
import { replyBlocks } from '../sellers/markdown.ts'
import { fullAddress, reviewHref, type Site } from '../site.ts'
import { codeSpan, hiddenText, shortened } from './quote.ts'

/**
 * The reviews of one route, those that never count under a heading of their own of the given depth. `isPage`: of a page of
 * many, which says nothing of the others.
 */
export function reviewsBlocks(
  site: Site,
  reviews: readonly ReviewView[],
  heading: string,
  letters: number,
  isPage = false,
): string[] {
  const blocksOf = (review: ReviewView): string[] => reviewBlocks(site, review, letters)
  const { agents, excluded } = splitReviews(reviews)
  const blocks = (isPage ? reviews : agents).length === 0 ? [NO_DATA] : agents.flatMap(blocksOf)
  if (excluded.length === 0) return blocks
  return [...blocks, `${heading} ${EXCLUDED_HEADING}`, ...excluded.flatMap(blocksOf)]
}

/** Whatever a stranger wrote stands in a code span or a fence. */
function reviewBlocks(site: Site, review: ReviewView, letters: number): string[] {
  const wallet = review.wallet === null ? '' : ` · wallet ${codeSpan(review.wallet)}`
  const reason = review.levelReason === null ? [] : [`- ${codeSpan(review.levelReason)}`]
  const facts = [...reason, ...paymentLines(review).map((line) => `- ${codeSpan(line)}`)]
  return [
    `${reviewMarks(review)}${wallet}`,
    ...(review.hidden === null ? shortened(review.text, letters) : [hiddenText(review.hidden)]),
    ...(facts.length === 0 ? [] : [facts.join('\n')]),
    `Check it yourself: <${fullAddress(site, reviewHref(review.id))}>${inLog(site, review)}`,
    ...replyBlocks(site, review.reply, letters),
  ]
}
