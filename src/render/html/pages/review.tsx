import { NO_DATA } from '../../../domain/count.ts'
import { formatTimestamp } from '../../../domain/time/timestamp.ts'
import type { ReviewView } from '../../../views/host/host-view.ts'
import type { ReviewEventView, ReviewPage } from '../../../views/review-page.ts'
import {
  checkCommand,
  directoryLine,
  EXCLUDED_HEADING,
  paymentLines,
  reviewMarks,
  shortWallet,
  splitReviews,
} from '../../review-words.ts'
import { fullAddress, hostHref, reviewHref, type Site, withQuery } from '../../site.ts'
import { PRODUCT } from '../../words.ts'
import { page } from '../layout.tsx'

interface ReviewProps {
  readonly review: ReviewView
}

interface ReviewsProps {
  readonly reviews: readonly ReviewView[]
  /** One below the heading that the reviews stand under, or beside it. */
  readonly heading?: 'h3' | 'h4'
}

/** The reviews of one route: agents' first, those that never count under their own heading. */
export const Reviews = ({ reviews, heading: Heading = 'h4' }: ReviewsProps) => {
  const { agents, excluded } = splitReviews(reviews)
  return (
    <>
      {agents.length === 0 ? <p class="none">{NO_DATA}</p> : <ReviewList reviews={agents} />}
      {excluded.length > 0 && (
        <>
          <Heading>{EXCLUDED_HEADING}</Heading>
          <ReviewList reviews={excluded} />
        </>
      )}
    </>
  )
}

const ReviewList = ({ reviews }: { readonly reviews: readonly ReviewView[] }) => (
  <ul>
    {reviews.map((review) => (
      <li key={review.id} class="said" id={`review-${review.id}`}>
        <p>
          {reviewMarks(review)} · <a href={reviewHref(review.id)}>permalink</a>
        </p>
        <Said review={review} />
      </li>
    ))}
  </ul>
)

/** Strangers' words: text nodes only, no markup and no links made of them. */
const Said = ({ review }: ReviewProps) => (
  <>
    {review.levelReason !== null && <p>{review.levelReason}</p>}
    <blockquote>{review.text}</blockquote>
    {review.wallet !== null && (
      <details>
        <summary>{`wallet ${shortWallet(review.wallet)}`}</summary>
        <ul class="lines">
          <li>{`wallet ${review.wallet}`}</li>
          {review.signedAt !== null && <li>{`signed at ${review.signedAt}`}</li>}
          {paymentLines(review).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </details>
    )}
  </>
)

/** One review, for people who follow a link to it, with what verifies it. */
export const reviewPage = (site: Site, { host, review, events, textSha256, message }: ReviewPage): string =>
  page({
    site,
    title: `Review of ${host} · ${PRODUCT}`,
    description: `One review of a route of ${host}, with what supports it.`,
    canonical: fullAddress(site, reviewHref(review.id)),
    alternates: [
      {
        type: 'application/json',
        name: 'This review as JSON',
        href: withQuery(reviewHref(review.id), { format: 'json' }),
      },
    ],
    children: (
      <>
        <header>
          <p class="eyebrow">Review of a route of</p>
          <h1>
            <a href={hostHref(host)}>{host}</a>
          </h1>
          <p class="exact">{`${review.method} ${review.url}`}</p>
        </header>
        <section>
          <div class="said">
            <p>{reviewMarks(review)}</p>
            <Said review={review} />
          </div>
        </section>
        {message !== null && (
          <section>
            <h2>Verify it yourself</h2>
            <p class="small soft">
              These lines, joined by one line feed each, were signed by the wallet (EIP-191, or ed25519 for a Solana
              wallet). The fifth is the SHA-256 of the text.
            </p>
            <pre>
              <code>{message}</code>
            </pre>
            <ul class="lines">
              <li>{directoryLine(review)}</li>
              <li>{`wallet ${review.wallet}`}</li>
              <li>{`signature ${review.signature}`}</li>
              <li>{`text SHA-256 ${textSha256}`}</li>
            </ul>
            <pre>
              <code>{checkCommand(site, review)}</code>
            </pre>
          </section>
        )}
        <section>
          <h2>What happened to it</h2>
          <ul class="lines">
            {events.map((event) => (
              <li key={`${event.atUs} ${event.kind}`}>{eventLine(event)}</li>
            ))}
          </ul>
        </section>
      </>
    ),
  })

const EVENT_WORDS: Readonly<Record<string, string>> = {
  review: 'submitted',
  review_level_changed: 'support level changed',
  review_counting_changed: 'counting changed',
  review_payment_final: 'payment final',
}

function eventLine({ kind, atUs, data }: ReviewEventView): string {
  const change = typeof data.from === 'string' && typeof data.to === 'string' ? `: ${data.from} → ${data.to}` : ''
  const reason = typeof data.reason === 'string' ? ` (${data.reason})` : ''
  return `${formatTimestamp(atUs)} ${EVENT_WORDS[kind] ?? kind}${change}${reason}`
}
