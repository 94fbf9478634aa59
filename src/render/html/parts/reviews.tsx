import { NO_DATA } from '../../../domain/count.ts'
import { formatAgo } from '../../../domain/time/relative.ts'
import { formatTimestamp, type TimestampUs } from '../../../domain/time/timestamp.ts'
import type { ReviewView } from '../../../views/host/host-view.ts'
import { outcomeWords } from '../../buyers/paid-calls.ts'
import { InLog } from '../../log/in-log.tsx'
import { hiddenLine } from '../../post-words.ts'
import {
  countingWords,
  EXCLUDED_HEADING,
  LEVEL_CLASS,
  paymentLines,
  shortWallet,
  splitReviews,
} from '../../review-words.ts'
import { reviewHref } from '../../site.ts'
import { Reply } from '../sellers/statements.tsx'
import { Words } from './description.tsx'

interface ReviewsProps {
  readonly reviews: readonly ReviewView[]
  readonly nowUs: TimestampUs
  /** One below the heading that the reviews stand under, or beside it. */
  readonly heading?: 'h2' | 'h3' | 'h4'
  /** Whether each names the route that it is about: they are a page of many, and say nothing of the others. */
  readonly isNamed?: boolean
}

/** Agents' reviews first and of these verified buyers'; those that never count under their own heading. */
export const Reviews = ({ reviews, nowUs, heading: Heading = 'h4', isNamed = false }: ReviewsProps) => {
  const { agents, excluded } = splitReviews(reviews)
  return (
    <>
      {agents.length > 0 && <ReviewList reviews={agents} nowUs={nowUs} isNamed={isNamed} />}
      {(isNamed ? reviews : agents).length === 0 && <p class="none">{NO_DATA}</p>}
      {excluded.length > 0 && (
        <>
          <Heading>{EXCLUDED_HEADING}</Heading>
          <ReviewList reviews={excluded} nowUs={nowUs} isNamed={isNamed} />
        </>
      )}
    </>
  )
}

const ReviewList = ({ reviews, nowUs, isNamed = false }: Omit<ReviewsProps, 'heading'>) => (
  <ul>
    {reviews.map((review) => (
      <li key={review.id} class="said" id={`review-${review.id}`}>
        <Said review={review} nowUs={nowUs} />
        <Permalink review={review} isNamed={isNamed} />
        <InLog of={[review]} isAfter />
        <Reply reply={review.reply} />
      </li>
    ))}
  </ul>
)

/** Among other links alone it says which review it leads to: beside it stands when that was submitted. */
const Permalink = ({ review, isNamed }: { readonly review: ReviewView; readonly isNamed: boolean }) => {
  const words = isNamed ? `${review.method} ${review.url}` : 'permalink'
  return (
    <a
      class="by"
      href={reviewHref(review.id)}
      aria-label={`${words}${isNamed ? ',' : ' of'} the review of ${formatTimestamp(review.submittedUs)}`}
    >
      {words}
    </a>
  )
}

interface SaidProps {
  readonly review: ReviewView
  readonly nowUs: TimestampUs
}

/** The words first, then whose they are; strangers' words are text nodes only, no markup and no links made of them. */
export const Said = ({ review, nowUs }: SaidProps) => (
  <>
    {review.hidden === null ? <Words text={review.text} /> : <p>{hiddenLine(review.hidden)}</p>}
    <p>
      <b class={`chip ${LEVEL_CLASS[review.level]}`}>{review.level}</b>
      {[
        ` rating ${review.rating} of 5`,
        ...(review.outcome === null ? [] : [outcomeWords(review.outcome)]),
        ...countingWords(review),
        ...(review.wallet === null ? [] : [`wallet ${shortWallet(review.wallet)}`]),
        `${formatAgo(review.submittedUs, nowUs)}, ${formatTimestamp(review.submittedUs)}`,
      ].join(' · ')}
    </p>
    {review.levelReason !== null && <p>{review.levelReason}</p>}
    {review.wallet !== null && (
      <details>
        <summary>Wallet and payment in full</summary>
        <pre class="lines">
          {[
            `wallet ${review.wallet}`,
            ...(review.signedAt === null ? [] : [`signed at ${review.signedAt}`]),
            ...paymentLines(review),
          ].join('\n')}
        </pre>
      </details>
    )}
  </>
)
