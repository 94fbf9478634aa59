import { reviewPage } from '../../../render/html/pages/review.tsx'
import { reviewPageJson } from '../../../render/json/review-page.ts'
import { fullAddress, reviewHref } from '../../../render/site.ts'
import { reviewPageOf } from '../../../views/review-page.ts'
import { PATHS } from '../../../wire/paths.ts'
import { readJsonBody } from '../../body.ts'
import { createEndpoint } from '../../endpoint.ts'
import { json } from '../../openapi/operation.ts'
import { EXAMPLES } from '../../openapi/parameters.ts'
import { BODY_PROBLEMS } from '../../openapi/problem-sets.ts'
import { storedResponse } from './stored.ts'
import { createWritingEndpoint } from './writing-page.ts'

export const submitReviewEndpoint = createEndpoint({
  ...{ method: 'post', path: PATHS.reviews, id: 'submitReview', tag: 'Reviews' },
  summary: 'Submit a review of a route',
  description:
    'Free. Without a signature its level is Unsigned. With wallet, signature and signed_at it is Signed; with a public payment from that wallet to a payee of the route, Verified buyer. The level is what the server finds.',
  body: {
    schema: 'ReviewRequest',
    example: { url: EXAMPLES.url, method: 'GET', rail: 'x402', rating: 4, text: EXAMPLES.text },
  },
  answers: {
    200: {
      ...json('ReviewPage', 'The same wallet had sent the same review before'),
      headers: { Location: 'Its address' },
    },
    201: { ...json('ReviewPage', 'The stored review'), headers: { Location: 'Its address' } },
  },
  problems: [...BODY_PROBLEMS, 'unknown-host', 'unknown-route'],
  handler:
    ({ site, reviews, writeLimits }) =>
    async (context) => {
      const { incoming, call } = context.env
      const gate = writeLimits.gate(incoming, call.head)
      const { review, events, isNew } = await reviews.submit(await readJsonBody(context.req.raw), gate)
      const document = reviewPageJson(site, reviewPageOf(review, events))
      return storedResponse(gate, isNew, document, fullAddress(site, reviewHref(review.id)))
    },
})

export const getReviewEndpoint = createWritingEndpoint({
  ...{ noun: 'review', path: PATHS.review, id: 'getReview', tag: 'Reviews', example: EXAMPLES.review },
  summary: 'One review, with everything that verifies it offline',
  ...{ schema: 'ReviewPage', answer: 'The review and what happened to it' },
  find: (directory, id) => directory.review(id),
  json: reviewPageJson,
  html: reviewPage,
  href: reviewHref,
})
