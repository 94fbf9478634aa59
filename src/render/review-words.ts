import type { Exclusion } from '../domain/review.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import type { PostView, ReviewView } from '../views/host-view.ts'

const EXCLUSION_WORDS: Readonly<Record<Exclusion, string>> = {
  founder: 'founder review, not counted',
  'self-generated': 'self-generated review, not counted',
}

/** Whether a review is among the agent reviews that are counted. */
export const countsAsAgentReview = (review: ReviewView): boolean => review.excluded === null && !review.superseded

/** What stands above a review's text, in the directory's own words only. */
export function reviewMarks(review: ReviewView): string {
  const marks = [review.level, `rating ${review.rating} of 5`]
  if (review.excluded !== null) marks.push(EXCLUSION_WORDS[review.excluded])
  if (review.superseded) marks.push('superseded by a newer review of the same wallet, not counted')
  marks.push(formatTimestamp(review.submittedUs))
  return marks.join(' · ')
}

export const postMarks = (post: PostView): string => `paid through ${post.rail} · ${formatTimestamp(post.postedUs)}`
