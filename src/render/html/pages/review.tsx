import { formatTimestamp, type TimestampUs } from '../../../domain/time/timestamp.ts'
import type { ReviewEventView, ReviewPage } from '../../../views/review-page.ts'
import { InLog } from '../../log/in-log.tsx'
import { checkCommand, directoryLine } from '../../review-words.ts'
import { fullAddress, hostHref, reviewHref, type Site, withQuery } from '../../site.ts'
import { PRODUCT } from '../../words.ts'
import { page } from '../layout.tsx'
import { Said } from '../parts/reviews.tsx'
import { JOINED_LINES, SignedLines } from '../parts/signed-lines.tsx'
import { AnswerIt, Reply } from '../sellers/statements.tsx'

/** One review, for people who follow a link to it, with what verifies it. */
export const reviewPage = (
  site: Site,
  { host, review, events, textSha256, message }: ReviewPage,
  nowUs: TimestampUs,
): string =>
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
            <Said review={review} nowUs={nowUs} />
            <InLog of={[review]} />
          </div>
          <Reply reply={review.reply} />
          <AnswerIt site={site} host={host} about={`review ${review.id}`} />
        </section>
        {message !== null && (
          <SignedLines
            note={JOINED_LINES}
            message={message}
            lines={[
              directoryLine(review),
              `wallet ${review.wallet}`,
              `signature ${review.signature}`,
              `text SHA-256 ${textSha256}`,
            ]}
            command={checkCommand(site, review)}
          />
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
  review_hidden: 'hidden',
}

function eventLine({ kind, atUs, data }: ReviewEventView): string {
  const change = typeof data.from === 'string' && typeof data.to === 'string' ? `: ${data.from} → ${data.to}` : ''
  const reason = typeof data.reason === 'string' ? ` (${data.reason})` : ''
  return `${formatTimestamp(atUs)} ${EVENT_WORDS[kind] ?? kind}${change}${reason}`
}
